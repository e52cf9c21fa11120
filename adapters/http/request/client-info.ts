import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** Who sent a request, as far as its connection and its headers show. */
export interface ClientInfo {
  /** The IP address; undefined when the connection was closed before it was asked for. */
  readonly address: string | undefined;
  /** The User-Agent, of at most 200 characters. */
  readonly userAgent: string | undefined;
}

/** Longer ones waste the log: no browser's is as long. */
const maxUserAgentLength = 200;

/**
 * The client of a request.
 * @param behindProxy whether the connection is a trusted proxy's: the client's address is then what the proxy added last to
 *   `X-Forwarded-For`. What stands before it comes from the client, and may be invented.
 */
export const clientOf = (
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  behindProxy: boolean,
): ClientInfo => ({
  address: (behindProxy ? forwardedFor(headers) : undefined) ?? addressOf(socket.remoteAddress),
  userAgent: headers['user-agent']?.slice(0, maxUserAgentLength),
});

/** The address without the prefix of an IPv4 address on a socket for IPv6. */
export const addressOf = (remoteAddress: string | undefined): string | undefined =>
  remoteAddress?.startsWith('::ffff:') ? remoteAddress.slice('::ffff:'.length) : remoteAddress;

const forwardedFor = ({ 'x-forwarded-for': header }: IncomingHttpHeaders): string | undefined => {
  const text = Array.isArray(header) ? header.join() : header;
  const last = text?.slice(text.lastIndexOf(',') + 1).trim();
  return last !== undefined && isIP(last) > 0 ? last : undefined;
};
