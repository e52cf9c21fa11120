import { Role, type Scope } from '#domain/access.ts';
import type { ApiKeyId } from '#domain/api-key.ts';
import { DomainError, type FieldError } from '#domain/errors.ts';
import type { Resource } from '#domain/resource.ts';
import type { UserId } from '#domain/user.ts';

/** The authenticated caller of a use case, and what the credential allows. */
export interface Caller {
  readonly userId: UserId;
  readonly role: Role;
  /** A subset of the role's scopes. */
  readonly scopes: readonly Scope[];
  readonly keyId: ApiKeyId;
  /** Whether `keyId` is the id of a stored API key, which can create others and be revoked. */
  readonly isStoredKey?: boolean;
  /** Requests of `keyId` in each window of the rate limit; without this, as many as every key has. */
  readonly rateLimit?: number;
}

/** What a use case requires of its caller before it reads anything. */
export interface Permission {
  readonly scope: Scope;
  /** The minimum role. */
  readonly role: Role;
}

/** @param message names the scope or role that is missing */
export const forbidden = (message: string): DomainError => new DomainError('forbidden', message);

/** @throws DomainError 'forbidden', naming the missing scope or role */
export const requirePermission = (caller: Caller, { scope, role }: Permission): void => {
  requireScopes(caller, [scope]);
  requireRole(caller, role);
};

export const isStaff = (caller: Caller): boolean => Role.isAtLeast(caller.role, 'staff');

export const isAdmin = (caller: Caller): boolean => Role.isAtLeast(caller.role, 'admin');

/** @throws DomainError 'forbidden' unless the caller owns the resource or is staff */
export const requireOwnerOrStaff = (caller: Caller, owner: UserId): void => {
  if (!isStaff(caller) && caller.userId !== owner) throw notOwner('staff');
};

/** @throws DomainError 'forbidden' unless the caller owns the resource or is an administrator */
export const requireOwnerOrAdmin = (caller: Caller, owner: UserId): void => {
  if (!isAdmin(caller) && caller.userId !== owner) throw notOwner('admin');
};

/** @throws DomainError 'forbidden' unless the caller owns the resource */
export const requireOwner = (caller: Caller, owner: UserId): void => {
  if (caller.userId !== owner)
    throw forbidden('This belongs to another user, and no role may do it for them.');
};

/**
 * @param fields those that need the role; without any the request as a whole needs it
 * @throws DomainError 'forbidden' when the caller's role is lower
 */
export const requireRole = (caller: Caller, role: Role, fields: readonly string[] = []): void => {
  if (Role.isAtLeast(caller.role, role)) return;
  const what = fields.length === 0 ? 'This' : `Writing ${inWords(fields)}`;
  throw forbidden(`${what} requires ${minimum(role)}. The caller has the role ${caller.role}.`);
};

/** `externalId` and `discount` are "external id and discount". */
const inWords = (fields: readonly string[]): string =>
  new Intl.ListFormat('en-GB').format(
    fields.map((field) => field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)),
  );

const minimum = (role: Role): string => (role === 'admin' ? 'the role admin' : `the role ${role} or higher`);

/** @throws DomainError 'forbidden', naming the scopes that the caller lacks */
export const requireScopes = (caller: Caller, scopes: readonly Scope[]): void => {
  const missing = scopes.filter((scope) => !caller.scopes.includes(scope));
  if (missing.length === 0) return;
  throw forbidden(`The credential lacks the scope${missing.length > 1 ? 's' : ''} ${missing.join(', ')}.`);
};

const notOwner = (role: Role): DomainError =>
  forbidden(`This belongs to another user, and requires ${minimum(role)}.`);

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

export const productNotFound = (fields?: readonly FieldError[]): DomainError =>
  new DomainError('product-not-found', 'The product does not exist.', fields);

/**
 * Optimistic concurrency: the versions of the resource that the client accepts, from `If-Match` and `If-None-Match` (RFC 9110 section
 * 13.1). It is a list of them, or of those that are not accepted. Undefined accepts any.
 */
export type ExpectedVersions = readonly number[] | { readonly not: readonly number[] } | undefined;

/** @throws DomainError 'precondition-failed' when the resource has none of the expected versions */
export const requireVersion = ({ version }: Resource, expected: ExpectedVersions): void => {
  if (expected === undefined) return;
  const isExpected = 'not' in expected ? !expected.not.includes(version) : expected.includes(version);
  if (!isExpected) throw preconditionFailed();
};

export const preconditionFailed = (): DomainError =>
  new DomainError(
    'precondition-failed',
    'The resource is at another version than the request asks for. Read it again, then repeat the request with its ETag, quotes included.',
  );
