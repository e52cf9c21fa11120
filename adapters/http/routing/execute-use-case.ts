import type { Caller } from '#application/access.ts';
import type { Idempotency } from '#application/idempotency/idempotency.ts';
import type { Attempted } from '#application/idempotency/idempotency-record.ts';
import type { Outcome } from '#application/idempotency/outcome.ts';
import type { Attempt } from '#application/ports/idempotency.ts';
import type { Mandate, UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { UseCase } from '#application/use-case.ts';
import type { ApiResponse } from '../request/response.ts';
import { encodeStoredResponse, replay } from './stored-response.ts';

/** What use cases are carried out with. */
export interface Dependencies {
  readonly unitOfWork: UnitOfWork;
  readonly idempotency: Idempotency;
}

/** An attempt, and the request that makes it. */
export interface IdempotentHttpRequest extends Attempt {
  readonly requestId: string;
}

interface Execution<Input, Result> {
  readonly caller: Caller;
  readonly input: Input;
  readonly respond: (result: Result) => ApiResponse;
  readonly idempotentRequest: IdempotentHttpRequest | undefined;
  /** When nobody waits for the answer any more, by `performance.now()`. */
  readonly deadline: number;
}

/**
 * Carries out a use case and presents what came of it: a query by reading, a command in one unit of work, a process in
 * its phases, and under an idempotency key each of the last two but once. Not `async`, as `dispatch` is not.
 * @throws whatever refused it
 */
export const executeUseCase = <Input, Result>(
  { unitOfWork, idempotency }: Dependencies,
  useCase: UseCase<Input, Result>,
  { caller, input, respond: present, idempotentRequest: attempt, deadline: until }: Execution<Input, Result>,
): Promise<ApiResponse> => {
  const mandate: Mandate = { user: caller.userId, until };
  if (useCase.kind === 'query') return unitOfWork.read(useCase(caller, input), mandate).then(present);
  if (useCase.kind === 'command' && attempt === undefined) {
    return unitOfWork.run(useCase(caller, input), mandate).then(present);
  }
  if (attempt === undefined) throw new TypeError('A process needs a key.');
  const presentOnce = memoizeLast(present);
  const write = (outcome: Outcome<Result>) => encodeStoredResponse(outcome, presentOnce);
  const attempted =
    useCase.kind === 'command'
      ? idempotency.command(attempt, useCase(caller, input), write, until)
      : idempotency.process(attempt, useCase(caller, input), write, until);
  return attempted.then((outcome) => responseTo(outcome, presentOnce, attempt.requestId));
};

/** What is remembered is what is answered, and need not be made twice. A run that was repeated has another result. */
const memoizeLast = <Result>(present: (result: Result) => ApiResponse): ((result: Result) => ApiResponse) => {
  let last: { readonly result: Result; readonly reply: ApiResponse } | undefined;
  return (result) => {
    if (last === undefined || last.result !== result) last = { result, reply: present(result) };
    return last.reply;
  };
};

const responseTo = <Result>(
  attempted: Attempted<Result>,
  present: (result: Result) => ApiResponse,
  requestId: string,
): ApiResponse => {
  if ('remembered' in attempted) return replay(attempted.remembered, requestId);
  if ('refused' in attempted.outcome) throw attempted.outcome.refused;
  return present(attempted.outcome.done);
};
