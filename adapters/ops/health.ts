import type { RequestListener, ServerResponse } from 'node:http';

/** Whether the service can do its work now. @throws when it cannot */
type Probe = () => Promise<void>;

interface Parts {
  readonly probe: Probe;
  /** The API's description, as JSON. */
  readonly document: string;
  /** Answers everything at `/docs` and below. */
  readonly docs: RequestListener;
  readonly api: RequestListener;
}

/**
 * What operators ask, beside the API itself: `/livez` says that the process runs, `/readyz` that it can do its work,
 * `/openapi.json` what the API takes and answers, and `/docs` tells people the same. Everything else is passed on to the
 * API, so that the page can call it from its own origin.
 */
export const opsHandler =
  ({ probe, document, docs, api }: Parts): RequestListener =>
  (request, response) => {
    if (request.url === '/livez') answer(response, 200, 'alive');
    else if (request.url === '/openapi.json') describe(response, document);
    else if (/^\/docs(?![^/?])/.test(request.url ?? '')) docs(request, response);
    else if (request.url === '/readyz') {
      probe().then(
        () => answer(response, 200, 'ready'),
        () => answer(response, 503, 'not ready'),
      );
    } else api(request, response);
  };

const describe = (response: ServerResponse, document: string): void => {
  response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-cache' });
  response.end(document);
};

const answer = (response: ServerResponse, status: number, text: string): void => {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
  response.end(`${text}\n`);
};
