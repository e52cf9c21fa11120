import type { Idempotency } from '#application/idempotency/idempotency.ts';
import type { IdempotentResult } from '#application/idempotency/idempotency-record.ts';
import type { IdempotentRequest } from '#application/ports/idempotency.ts';
import type { RequestContext, UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { Caller } from '#application/preconditions.ts';
import type { Outcome, Refresh, UseCase } from '#application/use-case.ts';
import { DomainError, type DomainErrorKind, type FieldError } from '#domain/errors.ts';
import { toPublicError } from '../errors.ts';
import type { ApiResponse } from '../request/context.ts';
import { errorResponse } from '../request/response.ts';
import { refreshResult } from './refresh-result.ts';

export interface Dependencies {
  readonly unitOfWork: UnitOfWork;
  readonly idempotency: Idempotency;
}

/** A request with an idempotency key, and the id under which its response is sent. */
export interface IdempotentHttpRequest extends IdempotentRequest {
  readonly requestId: string;
}

interface Execution<Input, Result> {
  readonly caller: Caller;
  readonly input: Input;
  readonly respond: (result: Result) => ApiResponse;
  readonly idempotentRequest: IdempotentHttpRequest | undefined;
  readonly context: RequestContext;
  /** Whether later reads of the caller must see at least what the result of a query names. */
  readonly pinsReads?: ((result: Result) => boolean) | undefined;
  /** Brings the result of a query up to date. */
  readonly refresh?: Refresh<Result> | undefined;
  /** Completes a result that was brought up to date by what is read then: other resources may have changed with it. */
  readonly complete?: (fresh: Result, again: Result) => Result;
}

/**
 * Executes a use case and renders its result. A query reads, a command runs in one unit of work, and a process runs in its
 * phases. With an idempotency key, commands and processes run once and their response is replayed.
 *
 * It is no `async` function because each one costs another turn of the microtask queue.
 * @throws the error of the use case
 */
export const executeUseCase = <Input, Result>(
  { unitOfWork, idempotency }: Dependencies,
  useCase: UseCase<Input, Result>,
  execution: Execution<Input, Result>,
): Promise<ApiResponse> => {
  const { caller, input, respond, idempotentRequest, context, refresh, complete, pinsReads } = execution;
  if (useCase.kind === 'query') {
    const read = () => unitOfWork.read(useCase(caller, input), context);
    if (pinsReads !== undefined)
      return read().then((found) =>
        pinsReads(found) ? pinReads(unitOfWork, context).then(() => respond(found)) : respond(found),
      );
    return read().then((found) => {
      if (!refresh?.isDue(found)) return respond(found);
      return refreshResult(unitOfWork, refresh, found, context)
        .then((fresh) =>
          complete && fresh !== found ? read().then((again) => complete(fresh, again)) : fresh,
        )
        .then(respond);
    });
  }
  if (useCase.kind === 'command' && idempotentRequest === undefined) {
    return unitOfWork.run(useCase(caller, input), context).then(respond);
  }
  if (idempotentRequest === undefined) throw new TypeError('A process needs an idempotency key.');
  const respondOnce = memoizeLast(respond);
  const encode = (outcome: Outcome<Result>) => encodeStoredResponse(outcome, respondOnce);
  const attempted =
    useCase.kind === 'command'
      ? idempotency.command(idempotentRequest, useCase(caller, input), encode, context)
      : idempotency.process(idempotentRequest, useCase(caller, input), encode, context);
  return attempted.then((outcome) => responseTo(outcome, respondOnce, idempotentRequest.requestId));
};

/** Lets later reads of the actor see all that was committed until now. */
const pinReads = (unitOfWork: UnitOfWork, context: RequestContext): Promise<void> =>
  unitOfWork.read(async () => undefined, { ...context, readsLatest: true, pinsReads: true });

/** Renders a result once, to store it and to send it. A transaction that ran again has another result. */
const memoizeLast = <Result>(respond: (result: Result) => ApiResponse): ((result: Result) => ApiResponse) => {
  let last: { readonly result: Result; readonly response: ApiResponse } | undefined;
  return (result) => {
    if (last === undefined || last.result !== result) last = { result, response: respond(result) };
    return last.response;
  };
};

const responseTo = <Result>(
  attempted: IdempotentResult<Result>,
  respond: (result: Result) => ApiResponse,
  requestId: string,
): ApiResponse => {
  if ('replayed' in attempted) return replay(attempted.replayed, requestId);
  if ('rejected' in attempted.outcome) throw attempted.outcome.rejected;
  return respond(attempted.outcome.done);
};

/**
 * A response as the idempotency record stores it. An error is stored without its envelope, because each replay carries the
 * request id of its own request. Later versions of Portico read these names from the database, so they stay, in this order.
 */
type StoredResponse =
  | {
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string | null;
    }
  | { readonly kind: DomainErrorKind; readonly message: string; readonly faults: readonly FieldError[] };

const encodeStoredResponse = <T>(outcome: Outcome<T>, respond: (result: T) => ApiResponse): string => {
  if ('rejected' in outcome) {
    const { kind, message, fieldErrors } = outcome.rejected;
    return JSON.stringify({ kind, message, faults: fieldErrors } satisfies StoredResponse);
  }
  const { status, headers, body, storableBody } = respond(outcome.done);
  return JSON.stringify({ status, headers, body: storableBody ?? body } satisfies StoredResponse);
};

/** Returns the stored response to an earlier request with the same idempotency key. */
const replay = (text: string, requestId: string): ApiResponse => {
  const stored: StoredResponse = JSON.parse(text);
  const response =
    'kind' in stored
      ? errorResponse(toPublicError(new DomainError(stored.kind, stored.message, stored.faults)), requestId)
      : stored;
  return { ...response, headers: { ...response.headers, 'Idempotent-Replayed': 'true' } };
};
