import type { RequestListener } from 'node:http';
import { type Asset, sendAsset } from './asset.ts';
import { answerPlainly, isReading } from './plain-answer.ts';

/** Whether the service can do its work now. @throws when it cannot */
type Probe = () => Promise<void>;

interface Parts {
  readonly probe: Probe;
  /** The API's description. */
  readonly document: Asset;
  /** Answers everything at `/docs` and below. */
  readonly docs: RequestListener;
  readonly api: RequestListener;
}

/**
 * What operators ask, beside the API itself: `/livez` says that the process runs, `/readyz` that it can do its work,
 * `/openapi.json` what the API takes and answers, and `/docs` tells people the same; whoever names no path is led there. Everything else is passed on to the
 * API, so that the page can call it from its own origin.
 */
export const opsHandler =
  ({ probe, document, docs, api }: Parts): RequestListener =>
  (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    if (path === '/') response.writeHead(302, { Location: '/docs', 'Content-Length': 0 }).end();
    else if (path === '/livez') answerPlainly(response, 200, 'alive');
    else if (path === '/readyz') {
      probe().then(
        () => answerPlainly(response, 200, 'ready'),
        () => answerPlainly(response, 503, 'not ready'),
      );
    } else if (path === '/openapi.json') {
      if (isReading(request, response)) sendAsset(request, response, document);
    } else if (path === '/docs' || path.startsWith('/docs/')) docs(request, response);
    else api(request, response);
  };
