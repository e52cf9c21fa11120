/**
 * How long connections may take, in milliseconds. An honest client on a bad line needs a fraction of it; whoever only
 * wants to hold connections open gets no more.
 */
export const timeouts = {
  /** For the encryption to be agreed on. */
  handshakeTimeout: 10_000,
  /** For the headers of a request to arrive, from when the connection or the request began. */
  headersTimeout: 10_000,
  /** For all of a request. */
  requestTimeout: 20_000,
  /** For another request on a connection that is kept. */
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
};

/** For another request on a connection of HTTP/2, which begins with more ado. */
export const idleSessionTimeoutMs = 15_000;

/** For an answer to be read, from when all of it was written, in rounds of a second. */
export const unreadResponseChecks = 30;

/** So many unread answers on a connection of HTTP/2 are for a good reason; more of them, for fewer rounds than one. */
export const maxUnreadResponses = 10;
export const stalledSessionChecks = 5;

/** Between two looks at connections, in milliseconds. */
export const checkIntervalMs = 1_000;
