import { DomainError } from '#domain/errors.ts';
import type { Resource } from '#domain/resource.ts';

/** @throws DomainError 'not-found' when there is none */
export const existing = async <T>(found: Promise<T | undefined>): Promise<T> => required(await found);

/** As `existing`, of what has been looked for. */
export const required = <T>(found: T | undefined): T => {
  if (found === undefined) throw new DomainError('not-found', 'The resource does not exist.');
  return found;
};

/** @throws DomainError 'product-not-found' when there is none */
export const existingProduct = async <T>(found: Promise<T | undefined>): Promise<T> =>
  requiredProduct(await found);

/** As `existingProduct`, of what has been looked for. */
export const requiredProduct = <T>(found: T | undefined): T => {
  if (found === undefined) throw productNotFound();
  return found;
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
