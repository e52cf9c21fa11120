import type http from 'node:http';

/**
 * Node's HTTP/1, as it is without `import`: that would read each of its names, and one of them is `WebSocket`, for which Node
 * loads all that `fetch` is made of. It takes 48 ms of a start.
 */
export const { createServer, IncomingMessage, ServerResponse, STATUS_CODES } =
  process.getBuiltinModule('node:http');

export type IncomingMessage = http.IncomingMessage;
export type ServerResponse = http.ServerResponse;
