import { createHmac } from 'node:crypto';
import { Agent as HttpAgent, type IncomingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP } from 'node:net';
import type { Clock } from '#application/ports/system.ts';
import type { WebhookMessage, WebhookResult, WebhookSender } from '#application/ports/webhook-sender.ts';
import { Instant } from '#domain/instant.ts';
import { maxRetryAfterMs } from '#domain/webhooks/attempts.ts';
import { WebhookSecret } from '#domain/webhooks/secret.ts';
import { withoutDot } from './allowed-receivers.ts';
import {
  type HttpRequestOptions,
  type ResponseHead,
  StaleConnection,
  sendHttpRequest,
} from './http-request.ts';
import { ReceiverError } from './receiver-error.ts';
import type { Receiver, ReceiverGuard } from './receiver-guard.ts';

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

interface SignOptions {
  readonly id: string;
  readonly body: Uint8Array;
  readonly secrets: readonly string[];
  /** When the message is sent, in milliseconds since 1970. */
  readonly at: number;
}

/** The headers by which a receiver knows the sender: Standard Webhooks 1.0, with one signature for each secret. */
export const signatureHeaders = ({
  id,
  body,
  secrets,
  at,
}: SignOptions): Readonly<Record<string, string>> => {
  const timestamp = String(Math.floor(at / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(WebhookSecret.base64Of(secret), 'base64');
    const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
    return `v1,${hmac.digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
};

/** The three forms of RFC 9110 section 5.6.7. The last has no zone and is in UTC. */
const httpDate = /^[A-Z][a-z]{2,8}, \d{2}[ -][A-Z][a-z]{2}[ -](?:\d{4}|\d{2}) \d{2}:\d{2}:\d{2} GMT$/;
const asctimeDate = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/**
 * Reads Retry-After (RFC 9110 section 10.2.3), a number of seconds or a date. A date is compared with the response's own, so
 * that a clock that is wrong does not count.
 * @param now in milliseconds since 1970, where the response has no date
 * @returns milliseconds, at most an hour; undefined without a valid value
 */
export const retryAfterOf = (headers: IncomingHttpHeaders, now: number): number | undefined => {
  const value = headers['retry-after']?.trim() ?? '';
  const delayMs = /^\d+$/.test(value) ? Number(value) * 1_000 : delayUntil(value, headers.date, now);
  return delayMs === undefined ? undefined : Math.min(Math.max(delayMs, 0), maxRetryAfterMs);
};

const delayUntil = (value: string, date: string | undefined, now: number): number | undefined => {
  const until = parseHttpDate(value);
  return until === undefined ? undefined : until - (parseHttpDate(date ?? '') ?? now);
};

const parseHttpDate = (text: string): number | undefined => {
  const time = asctimeDate.test(text)
    ? Date.parse(`${text} GMT`)
    : httpDate.test(text)
      ? Date.parse(text)
      : NaN;
  return Number.isNaN(time) ? undefined : time;
};
