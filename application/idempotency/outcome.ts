import { DomainError, type DomainErrorKind } from '#domain/errors.ts';

/** How something that was asked for ended: it was done, or refused for good. */
export type Outcome<T> = { readonly done: T } | { readonly refused: DomainError };

/**
 * Refusals that are the answer to the request. The others are about the request itself (who asks, what for, on
 * which version), so the same key may well be used for a better one.
 */
const final: ReadonlySet<DomainErrorKind> = new Set<DomainErrorKind>([
  'not-found',
  'product-not-found',
  'conflict',
  'invalid-state',
  'out-of-stock',
  'product-unavailable',
  'amount-exceeded',
  'payment-declined',
]);

/** Whether a refusal of this kind is the answer, which a repetition of the request gets again. */
export const isFinalKind = (kind: string): boolean => final.has(kind as DomainErrorKind);

export const isFinal = (error: unknown): error is DomainError =>
  error instanceof DomainError && isFinalKind(error.kind);
