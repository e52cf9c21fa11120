import { Role, type Scope } from '#domain/access.ts';
import { ApiKey, type ApiKeyId } from '#domain/api-key.ts';
import type { Instant } from '#domain/instant.ts';
import type { UserId } from '#domain/user.ts';
import { isAdmin, requireOwnerOrAdmin, requireRole, requireScopes } from '../access.ts';
import { type ExpectedVersions, requireFound, requireVersion } from '../found.ts';
import type { PageRequest } from '../page.ts';
import type { MintToken } from '../ports/authenticator.ts';
import type { Clock, NewId } from '../ports/system.ts';
import { pageVisibleTo } from '../read-pages.ts';
import { command, query } from '../use-case.ts';

export interface IssueKey {
  readonly name: string;
  /** For whom; only administrators issue keys for others. */
  readonly userId?: UserId;
  /** All that the user's role has, unless some are named. */
  readonly scopes?: readonly Scope[];
  readonly expiresAt: Instant | null;
}

/** A new key and the token that is shown this once. */
export interface IssuedKey {
  readonly key: ApiKey;
  readonly token: string;
}

interface Dependencies {
  readonly clock: Clock;
  readonly newId: NewId;
  readonly mintToken: MintToken;
}

/** Credentials. Everybody keeps their own, administrators everybody's. */
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
   * Nobody issues a key that can do more than the key they show.
   * @throws DomainError 'validation' when the role lacks a scope or the key has expired
   */
  issue: command(
    'api-keys:write',
    ['not-found', 'forbidden', 'validation'],
    (caller, { userId = caller.userId, name, scopes, expiresAt }: IssueKey) =>
      async ({ users, apiKeys }): Promise<IssuedKey> => {
        const owner = requireFound(await users.find(userId));
        requireOwnerOrAdmin(caller, userId);
        // A key acts as all that its owner is, and some credentials stand for less.
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

  /** Within five seconds the key works nowhere. */
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
