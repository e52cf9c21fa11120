import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { sendText } from './responses.ts';

/** The host name or address in the `Host` header, without a port; empty when the header is missing or invalid. */
export const hostOf = ({ headers: { host = '' } }: IncomingMessage): string => hostNameOf(host);

/** What `URL` would read as a user, a path, a query or white space around a host. */
const noHost = /[\s@/?#\\]/;

/**
 * A host name in the form that URLs have it: in lower case, and without the brackets of an IPv6 address and a final dot. Empty when
 * the text is no host.
 */
export const hostNameOf = (host: string): string => {
  if (noHost.test(host)) return '';
  const { hostname = '' } = URL.parse(`http://${host}`) ?? {};
  return hostname.replace(/^\[|\]$|\.$/g, '');
};

/**
 * Guards against DNS rebinding: a page of another site gives its own name the address of this listener. To the browser both have
 * the same origin then, and only the `Host` header reveals the name. Addresses cannot be rebound, and browsers always send the header.
 * @param allowedHosts names in the form of `hostNameOf`
 * @returns whether the request may continue; otherwise it has sent 403
 */
export const requireKnownHost = (
  request: IncomingMessage,
  response: ServerResponse,
  allowedHosts: ReadonlySet<string>,
): boolean => {
  const host = hostOf(request);
  const isKnown =
    isIP(host) !== 0 ||
    host === 'localhost' ||
    (host !== '' && allowedHosts.has(host)) ||
    !request.headers.host;
  if (!isKnown) sendText(response, 403, unknownHost);
  return isKnown;
};

const unknownHost =
  'The Host header names a host that this listener does not know. Use an IP address, or add the name to OPS_ALLOWED_HOSTS.';
