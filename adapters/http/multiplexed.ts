import type { ServerResponse } from 'node:http';
import { Http2ServerResponse } from 'node:http2';

/**
 * Whether an answer goes out by HTTP/2, where connections outlive what is said on them. The version that a request
 * claims says nothing of that: text on a connection of HTTP/1 can claim any.
 */
export const isMultiplexed = (
  response: ServerResponse | Http2ServerResponse,
): response is Http2ServerResponse => response instanceof Http2ServerResponse;
