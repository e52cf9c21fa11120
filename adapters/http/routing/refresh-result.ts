import { withTimeout } from '#adapters/support/timeout.ts';
import { ApplicationError } from '#application/errors.ts';
import type { ExpandedResult } from '#application/expansion/expand.ts';
import type { RequestContext, UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { Refresh } from '#application/use-case.ts';

/** How long a read waits for the external system, in milliseconds. What it has not returned until then is left out. */
export const refreshTimeoutMs = 2_000;

/**
 * Brings the result of a query up to date. The external system is asked outside of any unit of work.
 * @returns what was read when it was asked a moment ago, or gives no answer
 */
export const refreshResult = async <Result>(
  unitOfWork: UnitOfWork,
  { claim, call }: Refresh<Result>,
  found: Result,
  context: RequestContext,
): Promise<Result> => {
  if (!(await unitOfWork.run(claim(found), context))) return found;
  const called = await withTimeout(refreshTimeoutMs, call(found).catch(withoutAnswer), undefined);
  if (called === undefined) return found;
  return 'found' in called ? called.found : unitOfWork.run(called.record, context);
};

const withoutAnswer = (error: unknown): undefined => {
  if (!(error instanceof ApplicationError)) throw error;
  return undefined;
};

/** The same for a result with its expansions, which are of before: they are to be read again. */
export const expandedRefresh = <Result>({
  isDue,
  claim,
  call,
}: Refresh<Result>): Refresh<ExpandedResult<Result>> => ({
  isDue: ({ result }) => isDue(result),
  claim: ({ result }) => claim(result),
  call: async (all) => {
    const called = await call(all.result);
    if ('found' in called) return { found: { ...all, result: called.found } };
    return { record: async (repositories) => ({ ...all, result: await called.record(repositories) }) };
  },
});
