import { HttpError } from '../../errors.ts';
import type { Middleware } from '../middleware.ts';

/**
 * Handles a request that no route has handled: a CORS preflight, an unknown path, or an unsupported method.
 * @param methodsAt the methods of a path; empty for an unknown path
 * @throws HttpError 'route-not-found', 'method-not-allowed'
 */
export const notFound =
  (methodsAt: (path: string) => readonly string[]): Middleware =>
  ({ req, state }) => {
    const methods = methodsAt(state.path);
    if (methods.length === 0) throw new HttpError('route-not-found', 'There is no resource at this path.');
    const Allow = ['OPTIONS', ...methods].join(', ');
    if (req.method !== 'OPTIONS') {
      throw new HttpError('method-not-allowed', `${req.method} is not supported at this path.`, { Allow });
    }
    return { status: 204, headers: { Allow }, body: null };
  };
