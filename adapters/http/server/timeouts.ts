/**
 * Options of Node's HTTP server, in milliseconds. They end slowloris attacks, which hold connections open by sending slowly;
 * honest clients on bad lines need a fraction of them.
 */
export const timeouts = {
  /** Bounds the TLS handshake. */
  handshakeTimeout: 10_000,
  /** Bounds the arrival of the request headers, from the start of the connection or of the request. */
  headersTimeout: 10_000,
  /** Bounds the arrival of a whole request. */
  requestTimeout: 20_000,
  /** Bounds the idle time of a kept-alive connection between two requests. */
  keepAliveTimeout: 5_000,
  /** Interval at which Node checks `headersTimeout` and `requestTimeout`. */
  connectionsCheckingInterval: 1_000,
};
