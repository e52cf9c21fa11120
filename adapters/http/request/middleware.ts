import type { Context } from './context.ts';
import type { ApiResponse } from './response.ts';

type MaybePromise<T> = T | Promise<T>;

/**
 * One stage of the request pipeline: returns a response, or undefined to pass the request to the next middleware. It returns
 * a promise only if it has to wait, because each promise delays every request by a microtask.
 * @throws the error that the client receives
 */
export type Middleware = (context: Context) => MaybePromise<ApiResponse | undefined>;

/**
 * Composes middleware into one handler that runs them in order until one responds.
 * @throws TypeError when none responds
 */
export const compose =
  (middleware: readonly Middleware[]) =>
  (context: Context): MaybePromise<ApiResponse> =>
    runFrom(0, middleware, context);

const runFrom = (
  first: number,
  middleware: readonly Middleware[],
  context: Context,
): MaybePromise<ApiResponse> => {
  for (let index = first; index < middleware.length; index += 1) {
    const result = middleware[index]?.(context);
    if (result instanceof Promise)
      return result.then((response) => response ?? runFrom(index + 1, middleware, context));
    if (result !== undefined) return result;
  }
  throw new TypeError('No middleware has responded to the request.');
};
