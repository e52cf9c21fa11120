import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type Asset, sendAsset } from './asset.ts';
import { answerPlainly, isReading } from './plain-response.ts';

interface Parts {
  /** Why the service cannot do its work now, in a line; undefined when it can. It never fails. */
  readonly obstacle: () => Promise<string | undefined>;
  /** The API's description. */
  readonly document: () => Promise<Asset>;
  /** Answers everything at `/docs` and below. */
  readonly docs: RequestListener;
  readonly api: RequestListener;
  /** What the service counts of itself, as text of a type. */
  readonly metrics: () => Promise<{ readonly type: string; readonly text: string }>;
}

/**
 * What operators ask, beside the API itself:
 *
 * - `/livez`: whether the process runs
 * - `/readyz`: whether it can do its work
 * - `/metrics`: how much of what it has done
 * - `/openapi.json`: what the API takes and answers
 * - `/docs`: the same for people; whoever names no path is led there
 *
 * Everything else is passed on to the API, so that the page can call it from its own origin.
 */
export const opsHandler =
  ({ obstacle, document, docs, api, metrics }: Parts): RequestListener =>
  (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    if (path === '/') response.writeHead(302, { Location: '/docs', 'Content-Length': 0 }).end();
    else if (path === '/livez') answerPlainly(response, 200, 'alive');
    else if (path === '/readyz') {
      obstacle().then((why) =>
        why === undefined
          ? answerPlainly(response, 200, 'ready')
          : answerPlainly(response, 503, `not ready: ${why}`),
      );
    } else if (path === '/metrics') {
      if (isReading(request, response)) sendMetrics(request, response, metrics);
    } else if (path === '/openapi.json') {
      if (isReading(request, response)) document().then((asset) => sendAsset(request, response, asset));
    } else if (path === '/docs' || path.startsWith('/docs/')) docs(request, response);
    else api(request, response);
  };

const sendMetrics = (
  request: IncomingMessage,
  response: ServerResponse,
  metrics: Parts['metrics'],
): Promise<unknown> =>
  metrics().then(
    ({ type, text }) => {
      const headers = {
        'Content-Type': type,
        'Cache-Control': 'no-store',
        'Content-Length': Buffer.byteLength(text),
      };
      response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : text);
    },
    () => answerPlainly(response, 500, 'The metrics cannot be told now.'),
  );
