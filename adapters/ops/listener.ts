import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { requireKnownHost } from './known-host.ts';
import { type Asset, requireReadMethod, sendAsset, sendText, wantsPage } from './responses.ts';

interface Pages {
  /** The OpenAPI document. */
  readonly document: () => Promise<Asset>;
  /** Handles `/docs` and all paths below it, and `/llms.txt`. */
  readonly docs: RequestListener;
  /** Handles `/admin` and all paths below it, where that is served. */
  readonly admin: RequestListener | undefined;
  readonly api: RequestListener;
}

/**
 * Handles the requests of people who read the docs, and of the pages that they open:
 *
 * - `/openapi.json`: the API's description
 * - `/docs`: the same for people; `/` redirects there
 * - `/llms.txt`: a list of the docs, for language models
 * - `/admin`: the admin page, where it is served
 *
 * The API handles all other requests, so that the docs page can call it from its own origin. Only a person who mistypes an
 * address gets a page with links in place of the API's 401.
 */
export const pagesHandler =
  ({ document, docs, admin, api }: Pages): RequestListener =>
  (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    if (path === '/') response.writeHead(302, { Location: '/docs', 'Content-Length': 0 }).end();
    else if (path === '/openapi.json') {
      if (requireReadMethod(request, response))
        document().then((asset) => sendAsset(request, response, asset));
    } else if (admin !== undefined && (path === '/admin' || path.startsWith('/admin/')))
      admin(request, response);
    else if (/^\/(docs(\/|$)|llms\.txt$)/.test(path) || isMistyped(request, path)) docs(request, response);
    else api(request, response);
  };

/** Whether a browser asks for what cannot be the API's. Some libraries of programs accept HTML, too, but send a credential. */
const isMistyped = (request: IncomingMessage, path: string): boolean =>
  wantsPage(request) && request.headers.authorization === undefined && !/^\/v\d+(\/|$)/.test(path);

interface Operations {
  /** Resolves to why the service is not ready, in a line; to undefined when it is ready. It never rejects. */
  readonly findUnreadyReason: () => Promise<string | undefined>;
  /** The metrics, and the media type of their text. */
  readonly metrics: () => Promise<{ readonly type: string; readonly text: string }>;
  /** Names by which this listener is requested, beside `localhost` and addresses. */
  readonly allowedHosts: ReadonlySet<string>;
}

/**
 * Handles the requests of operators. `pages` handles those that are not for one of
 *
 * - `/livez`: whether the process runs, and its id
 * - `/readyz`: whether it can serve the API
 * - `/metrics`: its metrics, for Prometheus
 */
export const opsHandler =
  ({ findUnreadyReason, metrics, allowedHosts }: Operations, pages: RequestListener): RequestListener =>
  (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    // The demonstration keys have a stricter check of their own.
    const isChecked = path !== '/docs/keys.json';
    if (isChecked && !requireKnownHost(request, response, allowedHosts)) return;
    if (path === '/livez') sendText(response, 200, `alive: process ${process.pid}`);
    else if (path === '/readyz') {
      findUnreadyReason().then((reason) =>
        reason === undefined
          ? sendText(response, 200, 'ready')
          : sendText(response, 503, `not ready: ${reason}`),
      );
    } else if (path === '/metrics') {
      if (requireReadMethod(request, response)) sendMetrics(request, response, metrics);
    } else pages(request, response);
  };

const sendMetrics = (
  request: IncomingMessage,
  response: ServerResponse,
  metrics: Operations['metrics'],
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
    () => sendText(response, 500, 'The metrics cannot be read now. See the log.'),
  );
