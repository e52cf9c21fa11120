import type { Context } from './context.ts';
import type { Reply } from './response.ts';

type Later<T> = T | Promise<T>;

/**
 * One look at a request. What it gives is the answer; where it gives none, the next step looks. A step that need not
 * wait gives no promise, for there are many requests and several steps to each.
 * @throws what the request is refused for
 */
export type Step = (context: Context) => Later<Reply | undefined>;

/** One step after the other, until there is an answer. @throws TypeError when none of them has one */
export const inOrder =
  (steps: readonly Step[]) =>
  (context: Context): Later<Reply> =>
    takeFrom(0, steps, context);

const takeFrom = (first: number, steps: readonly Step[], context: Context): Later<Reply> => {
  for (let place = first; place < steps.length; place += 1) {
    const given = steps[place]?.(context);
    if (given instanceof Promise) return given.then((reply) => reply ?? takeFrom(place + 1, steps, context));
    if (given !== undefined) return given;
  }
  throw new TypeError('No step has an answer.');
};
