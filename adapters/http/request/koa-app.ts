import Koa from 'koa';

type Handler = (context: Koa.Context) => Promise<void>;

/**
 * Koa without what our own outermost layer sees to: it answers by itself, catches all that is thrown, and knows when an
 * answer is over. What Koa does for that at every request takes longer than reading a row.
 */
export class LeanKoa<State> extends Koa<State> {
  /** Koa's own, which its types do not tell of. Nothing thrown comes as far as this, unless it is a defect. */
  protected handleRequest(context: Koa.Context, handle: Handler): Promise<void> {
    return handle(context).catch((error) => context.onerror(error));
  }
}
