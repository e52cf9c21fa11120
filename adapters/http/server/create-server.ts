import { createServer, type Server } from 'node:http';
import {
  CoalescedResponse,
  endListener,
  type HasEndListener,
  notifyEnded,
} from './coalescing/coalesced-response.ts';
import { timeouts } from './timeouts.ts';

/** A certificate and its private key, as PEM texts. */
export interface Tls {
  readonly cert: string;
  readonly key: string;
}

/** Without a Host header, Node would respond 400 outside of the error envelope; the application responds in its place. */
const parserOptions = { requireHostHeader: false };

/** Without TLS a server of HTTP/1.1. With TLS it negotiates HTTP/2 or HTTP/1.1 on the same port (ALPN). */
export const createHttpServer = async (tls: Tls | undefined): Promise<Server> =>
  tls === undefined
    ? createServer({ ...timeouts, ...parserOptions, ServerResponse: CoalescedResponse })
    : createSecureServer(tls);

/**
 * Limits of an HTTP/2 session. The application rejects headers over 16 KiB with 431; up to this limit they reach the
 * application, and above it Node resets the stream.
 */
const settings = { maxConcurrentStreams: 100, maxHeaderListSize: 64 * 1024 };

/** Loads HTTP/2 and TLS only where they are used, because they slow down the start and take memory. */
const createSecureServer = async (tls: Tls): Promise<Server> => {
  const http2 = await import('node:http2');

  /** Notifies its end listener as `CoalescedResponse` does. Node itself coalesces the writes of an HTTP/2 session. */
  class Http2Response extends http2.Http2ServerResponse implements HasEndListener {
    [endListener]?: (() => void) | undefined;

    // biome-ignore lint/suspicious/noExplicitAny: it passes on the arguments of an overloaded method
    override end(...args: readonly any[]): this {
      notifyEnded(this);
      return Reflect.apply(super.end, this, args);
    }
  }

  const server = http2.createSecureServer({
    ...timeouts,
    ...parserOptions,
    ...tls,
    Http1ServerResponse: CoalescedResponse,
    Http2ServerResponse: Http2Response,
    allowHTTP1: true,
    settings,
  });
  // Node's compatibility API gives HTTP/2 requests and responses the shape of HTTP/1, but its types do not say so.
  return server as unknown as Server;
};
