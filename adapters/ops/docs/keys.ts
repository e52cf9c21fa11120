import type { IncomingMessage, ServerResponse } from 'node:http';

/** Finds the API keys that the page may show, by role. */
export type FindKeys = () => Promise<Readonly<Record<string, string>>>;

/**
 * Sends the demonstration's API keys to a page that is open on this machine, and 403 to any other request. The request must
 * come from a loopback address, name a loopback host, belong to no other site's page, and carry no header of a proxy.
 *
 * It cannot tell the users of one machine apart, nor detect a local proxy that adds no header.
 * @param isLocal whether an address or host name means this machine only
 */
export const sendKeys = async (
  request: IncomingMessage,
  response: ServerResponse,
  findKeys: FindKeys,
  isLocal: (host: string) => boolean,
): Promise<void> => {
  response.setHeader('Cache-Control', 'no-store');
  const isDirect = isLocal(request.socket.remoteAddress ?? '') && !isForwarded(request);
  const isAllowed = isDirect && isLocal(hostOf(request)) && isSameOrigin(request);
  const [status, content] = isAllowed ? [200, await findKeys()] : [403, {}];
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(content));
};

const isForwarded = ({ headers }: IncomingMessage): boolean =>
  Object.keys(headers).some((name) => /^(forwarded|x-forwarded-.*|x-real-ip|via)$/.test(name));

/** Guards against DNS rebinding: to the browser such a page has this origin, and only its Host header reveals it. */
const hostOf = ({ headers: { host = '' } }: IncomingMessage): string => {
  const { hostname = '' } = URL.parse(`http://${host}`) ?? {};
  return hostname.replace(/^\[|\]$/g, '');
};

const isSameOrigin = ({ headers: { 'sec-fetch-site': site = 'none' } }: IncomingMessage): boolean =>
  site === 'same-origin' || site === 'none';
