import { createServer, type Server } from 'node:http';
import { CoalescedResponse } from './coalescing/coalesced-response.ts';
import { timeouts } from './timeouts.ts';

/** A certificate and its private key, as PEM texts. */
export interface Tls {
  readonly cert: string;
  readonly key: string;
}

/** Node would refuse a missing Host without the envelope; the application does it with. */
const parserOptions = { requireHostHeader: false };

/**
 * HTTP/1.1 in the clear; over TLS, HTTP/2 for whoever offers it and HTTP/1.1 for all others, on the same port. TLS and HTTP/2
 * are loaded with the latter only: they take 13 ms of a start, and 3 MB.
 */
export const createHttpServer = async (tls: Tls | undefined): Promise<Server> => {
  if (tls === undefined)
    return createServer({ ...timeouts, ...parserOptions, ServerResponse: CoalescedResponse });
  const secure = await import('./secure-server.ts');
  return secure.createServer({ ...timeouts, ...parserOptions, ...tls });
};
