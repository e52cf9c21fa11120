import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { memoizeAsync } from '#adapters/support/lazy.ts';
import { hostOf } from '../known-host.ts';
import { type Asset, requireReadMethod, sendAsset, sendText, wantsPage } from '../responses.ts';
import { setSecurityHeaders } from '../security-headers.ts';
import type { Site } from './pages.ts';

/** Finds the API keys that the page may show, by role. */
type FindKeys = () => Promise<Readonly<Record<string, string>>>;

interface Dependencies extends Omit<Site, 'hasKeys'> {
  /** The OpenAPI document, which the reference is rendered from. */
  readonly document: () => Promise<Asset>;
  /** Undefined when this service has no keys to show. */
  readonly findKeys: FindKeys | undefined;
  /** Whether an address or host name means this machine only. */
  readonly isLocal: (host: string) => boolean;
  readonly report: (error: unknown) => void;
}

/** Handles `/docs` and all paths below it (the API reference, the guides, and their files), and `/llms.txt`. */
export const docsHandler = ({
  document,
  findKeys,
  isLocal,
  report,
  ...site
}: Dependencies): RequestListener => {
  const { findAsset, findNotFoundPage } = openSite({ ...site, hasKeys: findKeys !== undefined }, document);
  const respond: (...args: Parameters<RequestListener>) => Promise<void> = async (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    if (!requireReadMethod(request, response)) return;
    if (findKeys && path === '/docs/keys.json') {
      await sendKeys(request, response, findKeys, isLocal);
    } else {
      const asset = await findAsset(path);
      if (asset) sendAsset(request, response, asset);
      else if (wantsPage(request)) sendNotFound(request, response, await findNotFoundPage());
      else sendText(response, 404, 'There is no such page. Start at /docs.');
    }
  };
  return (request, response) => {
    setSecurityHeaders(response);
    respond(request, response).catch((error: unknown) => {
      report(error);
      sendText(response, 500, 'The page cannot be shown now. See the log.');
    });
  };
};

/**
 * Sends the demonstration's API keys to a page that is open on this machine, and 403 to any other request. The request must
 * come from a loopback address, name a loopback host, belong to no other site's page, and carry no header of a proxy.
 *
 * It cannot tell the users of one machine apart, nor detect a local proxy that adds no header.
 * @param isLocal whether an address or host name means this machine only
 */
const sendKeys = async (
  request: IncomingMessage,
  response: ServerResponse,
  findKeys: FindKeys,
  isLocal: (host: string) => boolean,
): Promise<void> => {
  response.setHeader('Cache-Control', 'no-store');
  const isDirect = isLocal(request.socket.remoteAddress ?? '') && !isForwarded(request);
  const isAllowed = isDirect && isLocal(hostOf(request)) && isSameOrigin(request);
  const [status, content] = isAllowed ? [200, await findKeys()] : [403, {}];
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(content));
};

const sendNotFound = (request: IncomingMessage, response: ServerResponse, page: Asset): void => {
  const { type, identity } = page;
  const headers = { 'Content-Type': type, 'Content-Length': identity.bytes.length };
  response.writeHead(404, { ...headers, 'Cache-Control': 'no-store', Vary: 'Accept' });
  response.end(request.method === 'HEAD' ? undefined : identity.bytes);
};

const isForwarded = ({ headers }: IncomingMessage): boolean =>
  Object.keys(headers).some((name) => /^(forwarded|x-forwarded-.*|x-real-ip|via)$/.test(name));

const isSameOrigin = ({ headers: { 'sec-fetch-site': site = 'none' } }: IncomingMessage): boolean =>
  site === 'same-origin' || site === 'none';

/**
 * Finds the asset at a path. Every page lists the guides and the operations, so the first request reads them all; a page is
 * rendered when it is first requested.
 */
const openSite = (site: Site, document: Dependencies['document']) => {
  // The Markdown renderer is loaded only where the docs are read.
  const content = memoizeAsync(async () => (await import('./site.ts')).readSite(site, document));
  return {
    findAsset: async (path: string): Promise<Asset | undefined> =>
      (await content()).assets.get(path.replace(/\/$/, ''))?.(),
    findNotFoundPage: async (): Promise<Asset> => (await content()).notFound(),
  };
};
