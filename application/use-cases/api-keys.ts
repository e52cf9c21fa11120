import { Role, type Scope } from '#domain/access.ts';
import { ApiKey, type ApiKeyChanges, type ApiKeyId } from '#domain/api-key.ts';
import type { Instant } from '#domain/instant.ts';
import { User, type UserId } from '#domain/user.ts';
import { pageVisibleTo } from '../pages.ts';
import type { MintToken } from '../ports/authenticator.ts';
import type { Collections, PageRequest, Repositories } from '../ports/repositories.ts';
import type { Clock, NewId } from '../ports/system.ts';
import {
  type Caller,
  type ExpectedVersions,
  forbidden,
  isAdmin,
  requireFound,
  requireOwnerOrAdmin,
  requireRole,
  requireScopes,
  requireVersion,
} from '../preconditions.ts';
import { command, query } from '../use-case.ts';

export interface ListKeys {
  readonly filter: Pick<Collections['apiKeys']['filter'], 'userId'>;
  readonly page: PageRequest<ApiKeyId>;
}

export interface IssueKey {
  readonly name: string;
  /** The owner of the key, by default the caller. Only administrators can issue keys for other users. */
  readonly userId?: UserId;
  /** By default the scopes of the owner's role that the caller's credential has, and those of a publishable key for one. */
  readonly scopes?: readonly Scope[];
  /** Null for never. By default that of the key that creates it, if there is one. */
  readonly expiresAt?: Instant | null;
  /** Whether the token may stand in a web page. Only administrators can issue such keys. */
  readonly publishable?: boolean;
  /** Requests in each window, or null for the usual limit. Only administrators can set it. */
  readonly rateLimit?: number | null;
}

export interface ChangeKey {
  readonly id: ApiKeyId;
  readonly expectedVersions: ExpectedVersions;
  readonly changes: ApiKeyChanges;
}

/** Which keys to revoke. */
export interface RevokeKeys {
  readonly id: ApiKeyId;
  readonly expectedVersions: ExpectedVersions;
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
    (caller, { filter, page }: ListKeys) =>
      ({ apiKeys }) =>
        pageVisibleTo(apiKeys, caller, { filter, page, seesAll: isAdmin(caller) }),
  ),

  get: query('api-keys:read', ['not-found', 'forbidden'], (caller, id: ApiKeyId) => async ({ apiKeys }) => {
    const key = requireFound(await apiKeys.find(id));
    requireOwnerOrAdmin(caller, key.userId);
    return key;
  }),

  /**
   * Issues a key. It can never do more than the credential of the caller, nor live longer (no privilege escalation).
   * @throws DomainError 'forbidden' when it would, the caller's key has been revoked, or only administrators may set a field
   * @throws DomainError 'invalid-state' when the user is erased
   * @throws DomainError 'validation' when the role lacks a scope, a publishable key has another, or `expiresAt` is in the past
   */
  issue: command(
    'api-keys:write',
    ['not-found', 'forbidden', 'invalid-state', 'validation'],
    (
      caller,
      { userId = caller.userId, name, scopes, expiresAt, publishable = false, rateLimit = null }: IssueKey,
    ) =>
      async ({ users, apiKeys }): Promise<IssuedKey> => {
        const owner = requireFound(await users.find(userId));
        requireOwnerOrAdmin(caller, userId);
        if (publishable) requireRole(caller, 'admin', ['publishable']);
        if (rateLimit !== null) requireRole(caller, 'admin', ['rateLimit']);
        // A key has its owner's full role, and the caller's credential may be limited to a lower one.
        requireRole(caller, owner.role);
        User.requireActive(owner);
        const parent = caller.isStoredKey ? await requireParent(apiKeys, caller) : null;
        const details = {
          name,
          scopes: scopes ?? (publishable ? ApiKey.publishableScopes : scopesUnder(caller, owner)),
          expiresAt: expiryUnder(parent, expiresAt),
          publishable,
          rateLimit,
        };
        const id: ApiKeyId = newId();
        const { token, secretHash } = mintToken(id, publishable);
        const at = clock.now();
        const key = ApiKey.issue(id, owner, details, secretHash, at, parent?.id ?? null);
        requireScopes(caller, key.scopes);
        await apiKeys.add(key);
        // Changed, because a lock binds one node of a cluster: a revocation of the family on another node must lose, or this.
        if (parent !== null) await apiKeys.save(ApiKey.use(parent, at));
        return { key, token };
      },
  ),

  /**
   * Changes the name of a key, or its rate limit, which applies within five seconds in every process.
   * @throws DomainError 'forbidden' when the caller is neither owner nor administrator, or no administrator and sends the limit
   */
  change: command(
    'api-keys:write',
    ['not-found', 'forbidden', 'precondition-failed', 'validation'],
    (caller, { id, expectedVersions, changes }: ChangeKey) =>
      async ({ apiKeys }) => {
        const key = requireFound(await apiKeys.lock(id));
        requireOwnerOrAdmin(caller, key.userId);
        if (changes.rateLimit !== undefined) requireRole(caller, 'admin', ['rateLimit']);
        requireVersion(key, expectedVersions);
        if (Object.keys(changes).length === 0) return key;
        const after = ApiKey.change(key, changes, clock.now());
        await apiKeys.save(after);
        return after;
      },
  ),

  /** Revokes a key. It stops working within five seconds in every process. */
  revoke: command(
    'api-keys:write',
    ['not-found', 'forbidden', 'precondition-failed'],
    (caller, { id, expectedVersions }: RevokeKeys) =>
      async ({ apiKeys }) => {
        const key = requireFound(await apiKeys.lock(id));
        requireOwnerOrAdmin(caller, key.userId);
        requireVersion(key, expectedVersions);
        await apiKeys.remove(id);
      },
  ),

  /**
   * Revokes a key with its descendants: the keys that were created with it, those that were created with these, and so on. The
   * key itself may have been revoked before.
   * @returns the ids of the revoked keys
   */
  revokeFamily: command(
    'api-keys:write',
    ['not-found'],
    (_caller, id: ApiKeyId) =>
      async ({ apiKeys }): Promise<readonly ApiKeyId[]> => {
        // Locked, because a key that is being created holds the lock of its creator, and changes it.
        const root = await apiKeys.lock(id);
        const family: ApiKeyId[] = [];
        let generation = [id];
        while (generation.length > 0) {
          const children = await apiKeys.lockBy('createdBy', generation);
          generation = children.map((child) => child.id);
          family.push(...generation);
        }
        if (root === undefined && family.length === 0) requireFound(root);
        const revoked = root === undefined ? family : [id, ...family];
        for (const each of revoked) await apiKeys.remove(each);
        return revoked;
      },
    'admin',
  ),
});

/** The scopes of a key that names none. */
const scopesUnder = (caller: Caller, { role }: User): readonly Scope[] =>
  Role.scopes(role).filter((scope) => caller.scopes.includes(scope));

/**
 * Locks the key of the caller, so that a key and its descendants are revoked as a whole.
 * @throws DomainError 'forbidden' when it has been revoked
 */
const requireParent = async (apiKeys: Repositories['apiKeys'], { keyId }: Caller): Promise<ApiKey> => {
  const parent = await apiKeys.lock(keyId);
  if (parent === undefined) throw forbidden('The API key of this request has been revoked.');
  return parent;
};

/** The expiry of a key that another one creates. @throws DomainError 'forbidden' when it is later than the creator's */
const expiryUnder = (parent: ApiKey | null, requested: Instant | null | undefined): Instant | null => {
  const latest = parent?.expiresAt ?? null;
  if (requested === undefined) return latest;
  if (latest !== null && (requested === null || requested > latest)) {
    throw forbidden(
      `The API key of this request expires at ${latest}, and cannot create one that lives longer. Leave expires_at out, or send an earlier time.`,
    );
  }
  return requested;
};
