import { createServer, type Server } from 'node:http';
import { timeouts } from './timeouts.ts';

/** A certificate and its private key, as PEM texts. */
export interface Tls {
  readonly cert: string;
  readonly key: string;
}

/** Without a Host header, Node would respond 400 outside of the error envelope; the application responds in its place. */
const parserOptions = { requireHostHeader: false };

/** A server that does not listen yet. */
interface HttpServer {
  readonly server: Server;
  /**
   * Replaces the certificate for new connections; does nothing without TLS.
   * @throws when the certificate or its key is invalid
   */
  readonly setCertificate: (tls: Tls) => void;
}

/**
 * A server of HTTP/1.1. With TLS it selects `http/1.1` of what a client offers (ALPN), and ends the handshake of one that offers only
 * other protocols.
 */
export const createHttpServer = async (tls: Tls | undefined): Promise<HttpServer> =>
  tls === undefined
    ? { server: createServer({ ...timeouts, ...parserOptions }), setCertificate: () => undefined }
    : createSecureServer(tls);

/** Loads TLS only where it is used, because it slows down the start and needs memory. */
const createSecureServer = async (tls: Tls): Promise<HttpServer> => {
  const https = await import('node:https');
  const server = https.createServer({ ...timeouts, ...parserOptions, ...tls, ALPNProtocols: ['http/1.1'] });
  return { server, setCertificate: (another) => server.setSecureContext({ ...another }) };
};
