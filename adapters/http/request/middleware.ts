import type { Context } from './context.ts';
import type { ApiResponse } from './response.ts';

type MaybePromise<T> = T | Promise<T>;

/**
 * One look at a request. What it gives is the answer; where it gives none, the next step looks. A step that need not
 * wait gives no promise, for there are many requests and several steps to each.
 * @throws what the request is refused for
 */
export type Middleware = (context: Context) => MaybePromise<ApiResponse | undefined>;

/** One step after the other, until there is an answer. @throws TypeError when none of them has one */
export const compose =
  (steps: readonly Middleware[]) =>
  (context: Context): MaybePromise<ApiResponse> =>
    runFrom(0, steps, context);

const runFrom = (
  first: number,
  steps: readonly Middleware[],
  context: Context,
): MaybePromise<ApiResponse> => {
  for (let place = first; place < steps.length; place += 1) {
    const given = steps[place]?.(context);
    if (given instanceof Promise) return given.then((reply) => reply ?? runFrom(place + 1, steps, context));
    if (given !== undefined) return given;
  }
  throw new TypeError('No step has an answer.');
};
