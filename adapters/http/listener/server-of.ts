import type { Server } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer } from '../node-http.ts';
import { patience } from './patience.ts';
import { MultiplexedResponse, Response } from './when-made.ts';

/** A certificate and its private key, as PEM texts. */
export interface Tls {
  readonly cert: string;
  readonly key: string;
}

/** Node would refuse a missing Host without the envelope; the application does it with. */
const leniency = { requireHostHeader: false };

/**
 * What a session may hold open, and how long its headers may be. The application refuses longer ones than 16 KiB; up
 * to this limit they come so far, beyond it their stream is reset.
 */
const settings = { maxConcurrentStreams: 100, maxHeaderListSize: 64 * 1024 };

/**
 * HTTP/1.1 in the clear; over TLS, HTTP/2 for whoever offers it and HTTP/1.1 for all others, on the same port. Requests
 * and answers of HTTP/2 come in the shape of HTTP/1's, so the server is taken for one of that.
 */
export const serverOf = (tls: Tls | undefined): Server => {
  if (tls === undefined) return createServer({ ...patience, ...leniency, ServerResponse: Response });
  const responses = { Http1ServerResponse: Response, Http2ServerResponse: MultiplexedResponse };
  const both = createSecureServer({
    ...patience,
    ...leniency,
    ...responses,
    ...tls,
    allowHTTP1: true,
    settings,
  });
  return both as unknown as Server;
};
