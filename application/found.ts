import { DomainError } from '#domain/errors.ts';
import type { Resource } from '#domain/resource.ts';

/** @throws DomainError 'not-found' when the resource does not exist */
export const requireFound = <T>(resource: T | undefined): T => {
  if (resource === undefined) throw new DomainError('not-found', 'The resource does not exist.');
  return resource;
};

/** @throws DomainError 'product-not-found' when the product does not exist */
export const requireProduct = <T>(product: T | undefined): T => {
  if (product === undefined) throw productNotFound();
  return product;
};

export const productNotFound = (): DomainError =>
  new DomainError('product-not-found', 'The product does not exist.');

/**
 * Optimistic concurrency: the versions of the resource that the client accepts, from `If-Match`. Undefined accepts any.
 * RFC 9110 section 13.1.1.
 */
export type ExpectedVersions = readonly number[] | undefined;

/** @throws DomainError 'precondition-failed' when the resource has none of the expected versions */
export const requireVersion = (resource: Resource, expected: ExpectedVersions): void => {
  if (expected !== undefined && !expected.includes(resource.version)) {
    throw new DomainError(
      'precondition-failed',
      'The resource has changed since you last read it. Read it again, then repeat the change.',
    );
  }
};
