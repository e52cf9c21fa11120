import { DomainError } from '#domain/errors.ts';
import type { Resource } from '#domain/resource.ts';

/** @throws DomainError 'not-found' when there is none */
export const existing = async <T>(found: Promise<T | undefined>): Promise<T> => {
  const resource = await found;
  if (resource === undefined) throw new DomainError('not-found', 'The resource does not exist.');
  return resource;
};

/** @throws DomainError 'product-not-found' when there is none */
export const existingProduct = async <T>(found: Promise<T | undefined>): Promise<T> => {
  const product = await found;
  if (product === undefined) throw productNotFound();
  return product;
};

export const productNotFound = (): DomainError =>
  new DomainError('product-not-found', 'The product does not exist.');

/** The versions that a caller has seen and wants to change, one of which it must be at; undefined takes any. */
export type SeenVersions = readonly number[] | undefined;

/** @throws DomainError 'precondition-failed' when it has changed since the caller saw it */
export const requireSeen = (resource: Resource, seen: SeenVersions): void => {
  if (seen !== undefined && !seen.includes(resource.version)) {
    throw new DomainError('precondition-failed', 'The resource has changed since you last saw it.');
  }
};
