import type { IncomingMessage, ServerResponse } from 'node:http';

/** The keys that the page may show, by the name of whom they stand for. */
export type FindKeys = () => Promise<Readonly<Record<string, string>>>;

/**
 * Hands the keys out to a page that somebody on this machine has open, as far as a request shows that. It must come from
 * this machine, by a name of this machine, from no other site's page, and through no proxy that says that it is one.
 * What none of this tells apart: one user of the machine from another, and a proxy on it that hides what it is.
 * @param isLocal whether an address or a host name can mean this machine only
 */
export const sendKeys = async (
  request: IncomingMessage,
  response: ServerResponse,
  findKeys: FindKeys,
  isLocal: (host: string) => boolean,
): Promise<void> => {
  response.setHeader('Cache-Control', 'no-store');
  const isFromHere = isLocal(request.socket.remoteAddress ?? '') && !isPassedOn(request);
  const isOurs = isFromHere && isLocal(nameAsked(request)) && isNoOtherSites(request);
  const [status, content] = isOurs ? [200, await findKeys()] : [403, {}];
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(content));
};

const isPassedOn = ({ headers }: IncomingMessage): boolean =>
  Object.keys(headers).some((name) => /^(forwarded|x-forwarded-.*|x-real-ip|via)$/.test(name));

/**
 * A page from elsewhere whose host name suddenly leads here is of the same origin, to the browser, as what it asks for:
 * only its Host header tells.
 */
const nameAsked = ({ headers: { host = '' } }: IncomingMessage): string => {
  const { hostname = '' } = URL.parse(`http://${host}`) ?? {};
  return hostname.replace(/^\[|\]$/g, '');
};

const isNoOtherSites = ({ headers: { 'sec-fetch-site': site = 'none' } }: IncomingMessage): boolean =>
  site === 'same-origin' || site === 'none';
