import type { IncomingMessage, ServerResponse } from 'node:http';

/** The keys that the page may show, by the name of whom they stand for. */
export type FindKeys = () => Promise<Readonly<Record<string, string>>>;

/**
 * Hands the keys out to a page of this machine and to nobody else. A page from elsewhere whose host name suddenly leads
 * here is of the same origin, to the browser, as what it asks for: only its Host header tells.
 * @param isLocal whether a host name can mean this machine only
 */
export const sendKeys = async (
  { headers }: IncomingMessage,
  response: ServerResponse,
  findKeys: FindKeys,
  isLocal: (host: string) => boolean,
): Promise<void> => {
  response.setHeader('Cache-Control', 'no-store');
  const { 'sec-fetch-site': site = 'none', host = '' } = headers;
  const { hostname = '' } = URL.parse(`http://${host}`) ?? {};
  const isOurs = isLocal(hostname.replace(/^\[|\]$/g, '')) && (site === 'same-origin' || site === 'none');
  const [status, content] = isOurs ? [200, await findKeys()] : [403, {}];
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(content));
};
