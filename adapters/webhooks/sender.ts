import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP } from 'node:net';
import type { Clock } from '#application/ports/system.ts';
import type { WebhookMessage, WebhookResult, WebhookSender } from '#application/ports/webhook-sender.ts';
import { Instant } from '#domain/instant.ts';
import { withoutDot } from './allowed-receivers.ts';
import {
  type HttpRequestOptions,
  type ResponseHead,
  StaleConnection,
  sendHttpRequest,
} from './http-request.ts';
import { ReceiverError } from './receiver-error.ts';
import type { Receiver, ReceiverGuard } from './receiver-guard.ts';
import { retryAfterOf } from './retry-after.ts';
import { signatureHeaders } from './signature.ts';

interface Dependencies {
  readonly guard: ReceiverGuard;
  /** Its time is signed. */
  readonly clock: Clock;
  /** In milliseconds: of a connection with its name and its encryption, and of a whole attempt. */
  readonly timeouts?: { readonly connect: number; readonly total: number };
  /** Certificates of authorities in PEM, in place of those that Node trusts. */
  readonly trusted?: string;
}

export interface HttpWebhookSender extends WebhookSender {
  /** Closes the connections that are kept. An attempt that goes on loses its own. */
  close(): void;
}

/** An idle connection is closed before most receivers would close it, which avoids the keep-alive race. */
const idleTimeoutMs = 4_000;

/** An endpoint has at most so many requests at once, so more connections would stay unused. */
const maxIdleConnections = 16;

/** How long one of several addresses is tried before the next. Node's own default is shorter than a slow handshake. */
const attemptTimeoutMs = 1_500;

/** A response with longer headers fails. */
const maxHeaderSize = 16_384;

/** Sends webhooks over HTTP/1.1. */
export const httpWebhookSender = ({
  guard,
  clock,
  timeouts = { connect: 5_000, total: 15_000 },
  trusted,
}: Dependencies): HttpWebhookSender => {
  const keeping = { keepAlive: true, timeout: idleTimeoutMs, maxFreeSockets: maxIdleConnections };
  const plain = new HttpAgent(keeping);
  // A resumed session would skip the check of its certificate.
  const secure = new HttpsAgent({ ...keeping, maxCachedSessions: 0 });

  const optionsFor = (receiver: Receiver, headers: Readonly<Record<string, string>>) => ({
    method: 'POST',
    host: receiver.host,
    port: receiver.port,
    path: `${receiver.url.pathname}${receiver.url.search}`,
    headers: { Host: receiver.url.host, ...headers },
    agent: receiver.isSecure ? secure : plain,
    lookup: guard.lookupFor(receiver),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptTimeoutMs,
    rejectUnauthorized: true,
    maxHeaderSize,
    ...(trusted !== undefined && { ca: trusted }),
    // SNI has no dot at the end, and no address (RFC 6066 section 3).
    ...(isIP(receiver.host) === 0 && { servername: withoutDot(receiver.host) }),
  });

  const attempt = async (
    { url, id, body: text, secrets }: WebhookMessage,
    signal: AbortSignal | undefined,
  ): Promise<ResponseHead> => {
    const endsAt = performance.now() + timeouts.total;
    const receiver = guard.receiverOf(url);
    const body = Buffer.from(text);
    const at = Instant.milliseconds(clock.now());
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': String(body.length),
      'User-Agent': 'Portico',
      ...signatureHeaders({ id, body, secrets, at }),
    };
    const request = optionsFor(receiver, headers);
    const options: HttpRequestOptions = {
      ...{ request, body, signal, isSecure: receiver.isSecure },
      ...{ connectTimeoutMs: timeouts.connect, totalTimeoutMs: timeouts.total },
    };
    try {
      return await sendHttpRequest(options);
    } catch (error) {
      if (!(error instanceof StaleConnection)) throw error;
      const totalTimeoutMs = Math.max(endsAt - performance.now(), 1);
      return sendHttpRequest({ ...options, request: { ...request, agent: false }, totalTimeoutMs });
    }
  };

  return {
    problemOf: guard.problemOf,

    send: async (message, signal) => {
      signal?.throwIfAborted();
      const startedAt = performance.now();
      const duration = () => ({ durationMs: Math.round(performance.now() - startedAt) });
      try {
        const head = await attempt(message, signal);
        return { ...resultOf(head, Instant.milliseconds(clock.now())), ...duration() };
      } catch (error) {
        if (!(error instanceof ReceiverError)) throw error;
        return { error: error.kind, statusCode: null, isGone: false, ...duration() };
      }
    },

    close: () => {
      plain.destroy();
      secure.destroy();
    },
  };
};

const resultOf = ({ statusCode, headers }: ResponseHead, now: number): Omit<WebhookResult, 'durationMs'> => {
  const isSuccess = statusCode >= 200 && statusCode <= 299;
  if (isSuccess) return { error: null, statusCode, isGone: false };
  return {
    error: 'status',
    statusCode,
    isGone: statusCode === 410,
    retryAfterMs: retryAfterOf(headers, now),
  };
};
