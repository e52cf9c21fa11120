import type { Outcome } from '#application/idempotency/outcome.ts';
import { DomainError, type DomainErrorKind, type FieldFault } from '#domain/errors.ts';
import { toPublicError } from '../errors.ts';
import { type ApiResponse, errorResponse } from '../request/response.ts';

/** An answer as it is kept under an idempotency key. A refusal is kept without a request id: each answer has its own. */
type StoredResponse =
  | {
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string | null;
    }
  | { readonly kind: DomainErrorKind; readonly message: string; readonly faults: readonly FieldFault[] };

/** What is kept of an outcome. */
export const encodeStoredResponse = <T>(outcome: Outcome<T>, present: (result: T) => ApiResponse): string => {
  if ('refused' in outcome) {
    const { kind, message, faults } = outcome.refused;
    return JSON.stringify({ kind, message, faults } satisfies StoredResponse);
  }
  const { status, headers, body, storableBody: memorable } = present(outcome.done);
  return JSON.stringify({ status, headers, body: memorable ?? body } satisfies StoredResponse);
};

/** The answer to a request that was answered before. */
export const replay = (text: string, requestId: string): ApiResponse => {
  const remembered: StoredResponse = JSON.parse(text);
  const reply =
    'kind' in remembered
      ? errorResponse(
          toPublicError(new DomainError(remembered.kind, remembered.message, remembered.faults)),
          requestId,
        )
      : remembered;
  return { ...reply, headers: { ...reply.headers, 'Idempotent-Replayed': 'true' } };
};
