import { Role, type Scope } from '#domain/access.ts';
import type { ApiKeyId } from '#domain/api-key.ts';
import { DomainError } from '#domain/errors.ts';
import type { UserId } from '#domain/user.ts';

/** Whoever asks for something, and what the key that was shown may be used for. */
export interface Caller {
  readonly userId: UserId;
  readonly role: Role;
  /** Never more than the role has. */
  readonly scopes: ReadonlySet<Scope>;
  readonly keyId: ApiKeyId;
}

/** What a use case asks of its caller before it looks at anything else. */
export interface Permission {
  readonly scope: Scope;
  /** The least role. */
  readonly role: Role;
}

export const forbidden = (): DomainError => new DomainError('forbidden', 'Insufficient permissions.');

/** @throws DomainError 'forbidden' */
export const permit = (caller: Caller, { scope, role }: Permission): void => {
  if (!caller.scopes.has(scope)) throw forbidden();
  requireRole(caller, role);
};

export const isStaff = (caller: Caller): boolean => Role.reaches(caller.role, 'staff');

export const isAdmin = (caller: Caller): boolean => Role.reaches(caller.role, 'admin');

/** @throws DomainError 'forbidden' */
export const requireStaff = (caller: Caller): void => requireRole(caller, 'staff');

/** What is somebody's own is theirs and the staff's. @throws DomainError 'forbidden' */
export const requireOwnerOrStaff = (caller: Caller, owner: UserId): void => {
  if (!isStaff(caller)) requireOwner(caller, owner);
};

/** What is somebody's own is theirs and the administrators'. @throws DomainError 'forbidden' */
export const requireOwnerOrAdmin = (caller: Caller, owner: UserId): void => {
  if (!isAdmin(caller)) requireOwner(caller, owner);
};

/** @throws DomainError 'forbidden' */
export const requireOwner = (caller: Caller, owner: UserId): void => {
  if (caller.userId !== owner) throw forbidden();
};

/** @throws DomainError 'forbidden' when the caller acts as less than that */
export const requireRole = (caller: Caller, role: Role): void => {
  if (!Role.reaches(caller.role, role)) throw forbidden();
};

/** @throws DomainError 'forbidden' when the scopes are more than the caller's own */
export const requireScopes = (caller: Caller, scopes: readonly Scope[]): void => {
  if (scopes.some((scope) => !caller.scopes.has(scope))) throw forbidden();
};
