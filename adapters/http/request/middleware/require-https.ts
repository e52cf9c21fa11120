import { HttpError } from '../../errors.ts';
import type { Middleware } from '../middleware.ts';

/**
 * Behind a proxy that is trusted to say so, only what reached it by HTTPS is answered.
 * @throws HttpError 'https-required'
 */
export const requireHttps: Middleware = (context) => {
  const protocols = context.get('X-Forwarded-Proto').split(',');
  if (protocols.some((protocol) => protocol.trim().toLowerCase() !== 'https')) throw httpsRequired();
  return undefined;
};

/** @throws HttpError 'https-required', whatever the request claims */
export const rejectPlaintext: Middleware = () => {
  throw httpsRequired();
};

const httpsRequired = (): HttpError =>
  new HttpError('https-required', 'This service is reached by HTTPS only.');
