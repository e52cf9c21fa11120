import { Role, type Scope } from '#domain/access.ts';
import { ApiKey, type ApiKeyId } from '#domain/api-key.ts';
import type { Instant } from '#domain/instant.ts';
import type { UserId } from '#domain/user.ts';
import { pageVisibleTo } from '../pages.ts';
import type { MintToken } from '../ports/authenticator.ts';
import type { PageRequest } from '../ports/repositories.ts';
import type { Clock, NewId } from '../ports/system.ts';
import {
  type ExpectedVersions,
  isAdmin,
  requireFound,
  requireOwnerOrAdmin,
  requireRole,
  requireScopes,
  requireVersion,
} from '../preconditions.ts';
import { command, query } from '../use-case.ts';

export interface IssueKey {
  readonly name: string;
  /** The owner of the key, by default the caller. Only administrators can issue keys for other users. */
  readonly userId?: UserId;
  /** By default all scopes of the owner's role. */
  readonly scopes?: readonly Scope[];
  readonly expiresAt: Instant | null;
}

/** A new key, and its token, which is shown once. */
export interface IssuedKey {
  readonly key: ApiKey;
  readonly token: string;
}

interface Dependencies {
  readonly clock: Clock;
  readonly newId: NewId;
  readonly mintToken: MintToken;
}

/** API keys. Users manage their own, administrators manage all. */
export const apiKeyUseCases = ({ clock, newId, mintToken }: Dependencies) => ({
  list: query(
    'api-keys:read',
    [],
    (caller, page: PageRequest<ApiKeyId>) =>
      ({ apiKeys }) =>
        pageVisibleTo(apiKeys, caller, { filter: {}, page, seesAll: isAdmin(caller) }),
  ),

  get: query('api-keys:read', ['not-found', 'forbidden'], (caller, id: ApiKeyId) => async ({ apiKeys }) => {
    const key = requireFound(await apiKeys.find(id));
    requireOwnerOrAdmin(caller, key.userId);
    return key;
  }),

  /**
   * Issues a key. It can never do more than the credential of the caller (no privilege escalation).
   * @throws DomainError 'validation' when the role lacks a scope or `expiresAt` is in the past
   */
  issue: command(
    'api-keys:write',
    ['not-found', 'forbidden', 'validation'],
    (caller, { userId = caller.userId, name, scopes, expiresAt }: IssueKey) =>
      async ({ users, apiKeys }): Promise<IssuedKey> => {
        const owner = requireFound(await users.find(userId));
        requireOwnerOrAdmin(caller, userId);
        // A key has its owner's full role, and the caller's credential may be limited to a lower one.
        requireRole(caller, owner.role);
        const details = { name, scopes: scopes ?? Role.scopes(owner.role), expiresAt };
        const id: ApiKeyId = newId();
        const { token, secretHash } = mintToken(id);
        const key = ApiKey.issue(id, owner, details, secretHash, clock.now());
        requireScopes(caller, key.scopes);
        await apiKeys.add(key);
        return { key, token };
      },
  ),

  /** Revokes a key. It stops working within five seconds in every process. */
  revoke: command(
    'api-keys:write',
    ['not-found', 'forbidden', 'precondition-failed'],
    (
      caller,
      { id, expectedVersions }: { readonly id: ApiKeyId; readonly expectedVersions: ExpectedVersions },
    ) =>
      async ({ apiKeys }) => {
        const key = requireFound(await apiKeys.lock(id));
        requireOwnerOrAdmin(caller, key.userId);
        requireVersion(key, expectedVersions);
        await apiKeys.remove(id);
      },
  ),
});
