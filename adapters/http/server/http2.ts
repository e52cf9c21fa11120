import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import type { Duplex } from 'node:stream';

/**
 * Whether a response goes out over HTTP/2. The HTTP version in a request does not decide this: an HTTP/1 client can write any.
 * @param response of CONNECT over HTTP/1 it is the socket
 */
export const isHttp2Response = (
  response: ServerResponse | Http2ServerResponse | Duplex,
): response is Http2ServerResponse => 'stream' in response;

/** Error codes of RFC 9113, section 7. */
export const http2ErrorCode = { none: 0x0, cancelled: 0x8, enhanceYourCalm: 0xb } as const;
