import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import type { Duplex } from 'node:stream';

/**
 * Whether an answer goes out by HTTP/2, where connections outlive what is said on them. The version that a request
 * claims says nothing of that: text on a connection of HTTP/1 can claim any. Where that has no answer, there is its connection.
 */
export const isHttp2Response = (
  response: ServerResponse | Http2ServerResponse | Duplex,
): response is Http2ServerResponse => 'stream' in response;

/** Why a stream, or a connection, of HTTP/2 ends. RFC 9113, section 7. */
export const http2ErrorCode = { none: 0x0, cancelled: 0x8, enhanceYourCalm: 0xb } as const;
