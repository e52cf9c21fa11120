import { createServer, type Server } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { setRemoteAddress } from '../request/client-info.ts';
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

/** Without TLS a server of HTTP/1.1. With TLS it negotiates HTTP/2 or HTTP/1.1 on the same port (ALPN). */
export const createHttpServer = async (tls: Tls | undefined): Promise<HttpServer> =>
  tls === undefined
    ? { server: createServer({ ...timeouts, ...parserOptions }), setCertificate: () => undefined }
    : createSecureServer(tls);

/**
 * Limits of an HTTP/2 session. The application rejects headers over 16 KiB with 431; up to this limit they reach the
 * application, and above it Node resets the stream.
 */
const settings = { maxConcurrentStreams: 100, maxHeaderListSize: 64 * 1024 };

/** Loads HTTP/2 and TLS only where they are used, because they slow down the start and take memory. */
const createSecureServer = async (tls: Tls): Promise<HttpServer> => {
  const [http2, { CheckedSocket }] = await Promise.all([
    import('node:http2'),
    import('./http2/checked-socket.ts'),
  ]);
  const server = http2.createSecureServer({
    ...timeouts,
    ...parserOptions,
    ...tls,
    allowHTTP1: true,
    settings,
    // Otherwise nghttp2 drops a value with spaces around it, and goes on without the header.
    strictFieldWhitespaceValidation: false,
  });
  // Node's own listener, which gets a connection that drops no header without a word.
  const [connect] = server.listeners('secureConnection');
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol !== 'h2') return connect?.call(server, socket);
    server.once('session', (session) => setRemoteAddress(session.socket, socket.remoteAddress));
    connect?.call(server, new CheckedSocket(socket));
  });
  return {
    // Node's compatibility API gives HTTP/2 requests and responses the shape of HTTP/1, but its types do not say so.
    server: server as unknown as Server,
    setCertificate: (another) => server.setSecureContext({ ...another }),
  };
};
