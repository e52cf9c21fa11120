import type { RequestListener } from 'node:http';
import { sendAsset } from '../asset.ts';
import { answerPlainly, isReading } from '../plain-response.ts';
import { type FindKeys, sendKeys } from './keys.ts';
import type { Site } from './pages.ts';
import { siteOf } from './site.ts';

interface Docs extends Omit<Site, 'hasKeys'> {
  /** Undefined when the page has none to show, whoever asks. */
  readonly findKeys: FindKeys | undefined;
  /** Whether a host name can mean this machine only. */
  readonly isLocal: (host: string) => boolean;
  readonly report: (error: unknown) => void;
}

/** Nothing from anywhere else, nothing inline, in nobody's frame, and no word to anybody about where a reader was. */
const headers = {
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

/** Answers `/docs` and everything below: the reference, the guides, and what they are drawn with. */
export const docsHandler = ({ findKeys, isLocal, report, ...site }: Docs): RequestListener => {
  const find = siteOf({ ...site, hasKeys: findKeys !== undefined });
  const answer: (...of: Parameters<RequestListener>) => Promise<void> = async (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    if (!isReading(request, response)) return;
    if (findKeys && path === '/docs/keys.json') {
      await sendKeys(request, response, findKeys, isLocal);
    } else {
      const asset = await find(path);
      if (asset) sendAsset(request, response, asset);
      else answerPlainly(response, 404, 'There is no such page. Everything begins at /docs.');
    }
  };
  return (request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    answer(request, response).catch((error: unknown) => {
      report(error);
      answerPlainly(response, 500, 'The page cannot be shown now.');
    });
  };
};
