import { HttpError } from '../../errors.ts';
import type { Middleware } from '../context.ts';

/**
 * Behind a trusted proxy, accepts only requests that every hop received by HTTPS according to `X-Forwarded-Proto`.
 * @throws HttpError 'https-required'
 */
export const requireHttps: Middleware = (context, next) => {
  const protocols = context.get('X-Forwarded-Proto').split(',');
  if (protocols.some((protocol) => protocol.trim().toLowerCase() !== 'https')) throw httpsRequired();
  return next();
};

/**
 * Rejects every request on a plaintext listener, whatever its headers claim.
 * @throws HttpError 'https-required'
 */
export const rejectPlaintext: Middleware = () => {
  throw httpsRequired();
};

const httpsRequired = (): HttpError =>
  new HttpError('https-required', 'Plain HTTP is not accepted. Use HTTPS.');
