import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { withTimeout } from '#adapters/support/timeout.ts';
import type { ReceiveProviderEvent } from '#application/reconciliation/receive-provider-event.ts';
import { HttpError, type HttpErrorKind, toPublicError } from '../errors.ts';
import { readBody } from '../request/body.ts';
import { requireForwardedHttps } from '../request/checks.ts';
import { clientOf } from '../request/client-info.ts';
import { notifyResponded, receivedAt } from '../request/node-response.ts';
import { type EventOutcome, type EventResponse, type ObserveEvent, responseTo } from './outcomes.ts';

/** 256 KiB, the longest event of a provider that is read. */
const maxEventBytes = 256 * 1024;

/** What this listener sends for every other path. */
export const onlyProviderEvents = 'This listener serves only POST /provider-events.';

interface Dependencies {
  readonly receive: ReceiveProviderEvent;
  /** Whether a trusted proxy is in front, which reports whether its client used HTTPS. */
  readonly behindProxy: boolean;
  /** Bounds a request from its headers to its response, in milliseconds. */
  readonly timeoutMs: number;
  /** Called with what became of each message. */
  readonly observe: ObserveEvent;
}

/**
 * Handles `POST /provider-events`, where the payment provider sends its events. 204 means that what to retrieve is stored durably; an
 * event that could not be stored gets 503, and the provider sends it again. Other paths and methods are 404 and 405.
 */
export const providerEventsHandler =
  (dependencies: Dependencies): RequestListener =>
  (request, response) => {
    respond(request, response, dependencies).then(
      (rendered) => send(request, response, rendered),
      (error: unknown) => send(request, response, errorResponse(error)),
    );
  };

/** @throws HttpError for a request that is no event */
const respond = async (
  request: IncomingMessage,
  response: ServerResponse,
  { receive, behindProxy, timeoutMs, observe: observeAll }: Dependencies,
): Promise<EventResponse> => {
  requireRoute(request);
  if (behindProxy) requireForwardedHttps(request.headers);
  const { address: clientAddress } = clientOf(request, behindProxy);
  const observe = (outcome: EventOutcome, error?: unknown): void =>
    observeAll(outcome, { clientAddress, error });
  const left = (): number => receivedAt(response) + timeoutMs - performance.now();
  const body = await withTimeout(
    left(),
    readBody({ req: request, res: response }, maxEventBytes),
    timedOut,
  ).catch((error: HttpError) => {
    observeUnread(error.kind, observe);
    throw error;
  });
  if (body === timedOut) {
    observe('incomplete');
    throw new HttpError('request-timeout', 'The request took too long to arrive.', closeConnection);
  }
  try {
    const { headers } = request;
    const outcome = await withTimeout(left(), receive({ body, headers }), timedOut);
    if (outcome === timedOut) throw new Error(`The event was not stored within ${timeoutMs} ms.`);
    observe(outcome);
    return responseTo[outcome];
  } catch (error) {
    observe('not_stored', error);
    return responseTo.not_stored;
  }
};

const timedOut: unique symbol = Symbol('timed out');

const closeConnection = { Connection: 'close' };

const requireRoute = ({ url = '', method }: IncomingMessage): void => {
  const [path] = url.split('?');
  if (path !== '/provider-events') throw new HttpError('route-not-found', onlyProviderEvents);
  if (method !== 'POST')
    throw new HttpError('method-not-allowed', 'This path supports only POST.', { Allow: 'POST' });
};

const observeUnread = (kind: HttpErrorKind, observe: (outcome: EventOutcome) => void): void => {
  if (kind === 'payload-too-large') observe('too_large');
  if (kind === 'bad-request') observe('incomplete');
};

const errorResponse = (error: unknown): EventResponse => {
  const { status, message: text, headers } = toPublicError(error);
  return { status, text, headers };
};

/** Sends one line of text as the listener for operators does, unless the shutdown has responded. */
const send = (
  { method }: IncomingMessage,
  response: ServerResponse,
  { status, text, headers = {} }: EventResponse,
): void => {
  if (response.headersSent || response.destroyed) return;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('Cache-Control', 'no-store');
  const body = text === null ? undefined : `${text}\n`;
  if (body !== undefined) {
    response.setHeader('Content-Type', 'text/plain; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(body));
  }
  response.writeHead(status);
  notifyResponded(response);
  response.end(method === 'HEAD' ? undefined : body);
};
