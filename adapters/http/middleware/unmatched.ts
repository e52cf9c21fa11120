import type { Context } from '../context.ts';
import { HttpError } from '../errors.ts';
import { send } from '../send.ts';

/**
 * What no route has answered: a preflight, or a method or path that there is not.
 * @param methods those of the path, none when there is no such path
 * @throws HttpError 'route-not-found', 'method-not-allowed'
 */
export const answerUnmatched = (context: Context, methods: readonly string[]): void => {
  if (methods.length === 0) throw new HttpError('route-not-found', 'There is nothing at this address.');
  const Allow = ['OPTIONS', ...methods].join(', ');
  if (context.method !== 'OPTIONS') {
    throw new HttpError('method-not-allowed', `${context.method} is not possible here.`, { Allow });
  }
  send(context, { status: 204, headers: { Allow }, body: null });
};
