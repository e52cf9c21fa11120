import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { pathToFileURL } from 'node:url';
import { memoizeAsync } from '#adapters/support/lazy.ts';
import { hostOf } from '../known-host.ts';
import { type Asset, createAsset, requireReadMethod, sendAsset, sendText, wantsPage } from '../responses.ts';
import { guidePage, notFoundPage, referencePage, type Site } from './pages.ts';

/** Finds the API keys that the page may show, by role. */
type FindKeys = () => Promise<Readonly<Record<string, string>>>;

interface Dependencies extends Omit<Site, 'hasKeys'> {
  /** Undefined when this service has no keys to show. */
  readonly findKeys: FindKeys | undefined;
  /** Whether an address or host name means this machine only. */
  readonly isLocal: (host: string) => boolean;
  readonly report: (error: unknown) => void;
}

/** Everything comes from this origin, no script or style is inline, no site may frame the page, and no referrer is sent. */
const securityHeaders = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** Handles `/docs` and all paths below it: the API reference, the guides, and their files. */
export const docsHandler = ({ findKeys, isLocal, report, ...site }: Dependencies): RequestListener => {
  const { findAsset, findNotFoundPage } = openSite({ ...site, hasKeys: findKeys !== undefined });
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
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
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

const browserFolder = new URL('browser/', import.meta.url);
const mediaTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
};

/**
 * Finds the asset at a path. Every page lists the guides, so the first request reads them all; other files are read when they
 * are first requested.
 */
const openSite = (site: Site) => {
  const content = memoizeAsync(() => readSite(site));
  return {
    findAsset: async (path: string): Promise<Asset | undefined> =>
      (await content()).assets.get(path.replace(/\/$/, ''))?.(),
    findNotFoundPage: async (): Promise<Asset> => (await content()).notFound(),
  };
};

const readSite = async (site: Site) => {
  // The Markdown renderer is loaded only where the docs page is read.
  const { readGuides } = await import('./guides.ts');
  const guides = await readGuides(site.apiUrl);
  const assets: readonly (readonly [path: string, create: () => Promise<Asset>])[] = [
    ['/docs', () => createAsset('text/html', referencePage(site, guides))],
    ...guides.map(
      (guide) => [guide.path, () => createAsset('text/html', guidePage(site, guides, guide))] as const,
    ),
    ...(await listFiles()).map((file) => {
      const name = file.pathname.split('/').at(-1) ?? '';
      const type = mediaTypes[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
      return [`/docs/assets/${name}`, async () => createAsset(type, await readFile(file))] as const;
    }),
  ];
  return {
    assets: new Map(assets.map(([path, create]) => [path, memoizeAsync(create)])),
    notFound: memoizeAsync(() => createAsset('text/html', notFoundPage(site, guides))),
  };
};

const listFiles = async (): Promise<readonly URL[]> => {
  const entries = await readdir(browserFolder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`);
  return [
    ...names.map((name) => pathToFileURL(name)),
    new URL(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
    new URL(import.meta.resolve('swagger-ui-dist/swagger-ui.css')),
  ];
};
