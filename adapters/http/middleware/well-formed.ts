import type { Middleware } from '../context.ts';
import { HttpError } from '../errors.ts';

/** Headers that say who speaks, to whom and for what. Of two, one would be believed and the other overheard. */
const single = ['host', 'authorization', 'idempotency-key'];

/**
 * Refuses what Node's parser lets pass although no honest client sends it.
 * @throws HttpError 'bad-request'
 */
export const wellFormed: Middleware = async (context, next) => {
  const { rawHeaders, headers, httpVersion } = context.req;
  if (headers.host === undefined && httpVersion === '1.1') throw refused('The Host header is missing.');
  for (const name of single) {
    if (count(rawHeaders, name) > 1) throw refused(`The ${name} header must be given once.`);
  }
  await next();
};

const refused = (message: string): HttpError =>
  new HttpError('bad-request', message, { Connection: 'close' });

/** Raw headers are names and values in turn. */
const count = (rawHeaders: readonly string[], name: string): number => {
  let found = 0;
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const header = rawHeaders[place];
    if (header?.length === name.length && header.toLowerCase() === name) found += 1;
  }
  return found;
};
