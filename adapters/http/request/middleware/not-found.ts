import { HttpError } from '../../errors.ts';
import type { Middleware } from '../middleware.ts';

/**
 * What no route has answered: a preflight, or a method or path that there is not.
 * @param methodsAt those of a path, none when there is no such path
 * @throws HttpError 'route-not-found', 'method-not-allowed'
 */
export const notFound =
  (methodsAt: (path: string) => readonly string[]): Middleware =>
  ({ req, state }) => {
    const methods = methodsAt(state.path);
    if (methods.length === 0) throw new HttpError('route-not-found', 'There is nothing at this address.');
    const Allow = ['OPTIONS', ...methods].join(', ');
    if (req.method !== 'OPTIONS') {
      throw new HttpError('method-not-allowed', `${req.method} is not possible here.`, { Allow });
    }
    return { status: 204, headers: { Allow }, body: null };
  };
