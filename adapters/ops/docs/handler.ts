import type { RequestListener } from 'node:http';
import { requireReadMethod, sendAsset, sendText } from '../responses.ts';
import { type FindKeys, sendKeys } from './keys.ts';
import type { Site } from './pages.ts';
import { openSite } from './site.ts';

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
  const findAsset = openSite({ ...site, hasKeys: findKeys !== undefined });
  const respond: (...args: Parameters<RequestListener>) => Promise<void> = async (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    if (!requireReadMethod(request, response)) return;
    if (findKeys && path === '/docs/keys.json') {
      await sendKeys(request, response, findKeys, isLocal);
    } else {
      const asset = await findAsset(path);
      if (asset) sendAsset(request, response, asset);
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
