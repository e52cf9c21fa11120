import type { Middleware } from '../context.ts';
import { HttpError } from '../errors.ts';

/**
 * Behind a proxy that is trusted to say so, only what reached it by HTTPS is answered.
 * @throws HttpError 'https-required'
 */
export const httpsOnly: Middleware = async (context, next) => {
  const protocols = context.get('X-Forwarded-Proto').split(',');
  if (protocols.some((protocol) => protocol.trim().toLowerCase() !== 'https')) {
    throw httpsRequired();
  }
  await next();
};

/** @throws HttpError 'https-required', whatever the request claims */
export const nobody: Middleware = async () => {
  throw httpsRequired();
};

const httpsRequired = (): HttpError =>
  new HttpError('https-required', 'This service is reached by HTTPS only.');
