import { Role, type Scope } from './access.ts';
import { invalidField } from './errors.ts';
import { Instant } from './instant.ts';
import { type Id, newResource, type Resource, updated } from './resource.ts';
import { integer, requireValid, requireValidChanges } from './rule.ts';
import { label } from './text.ts';
import type { User, UserId } from './user.ts';

export type ApiKeyId = Id<'api-key'>;

export interface ApiKeyDetails {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Instant | null;
  /** False by default. */
  readonly publishable?: boolean;
  /** Null by default. */
  readonly rateLimit?: number | null;
}

/** What of a key can change. */
export type ApiKeyChanges = Partial<Pick<ApiKey, 'name' | 'rateLimit'>>;

/** A user's credential. Only the hash of its secret is stored; the secret is shown once, when the key is issued. */
export interface ApiKey extends Resource<ApiKeyId>, Required<ApiKeyDetails> {
  readonly userId: UserId;
  /**
   * The key whose holder created this one, which may have been revoked since; null when it was created without a stored key: on
   * the command line, by the operator's key, or with an access token.
   */
  readonly createdBy: ApiKeyId | null;
  /** SHA-256 of the secret, in hexadecimal. */
  readonly secretHash: string;
  /** Whether the token may stand in a web page. Such a key only reads active products, whatever the role of its user. */
  readonly publishable: boolean;
  /** Requests in each window of the rate limit; null for the limit that every key has. */
  readonly rateLimit: number | null;
  /** When the key was last used, to within a minute. */
  readonly lastUsedAt: Instant | null;
}

/** All that a publishable key can be used for. */
const publishableScopes: readonly Scope[] = ['products:read'];

export const ApiKey = {
  rules: { name: label(1, 200), rateLimit: integer(1, 1_000_000) },

  publishableScopes,

  /**
   * @throws DomainError 'validation' when the owner's role lacks a scope, a publishable key has another one, or `expiresAt` is in
   * the past
   */
  issue: (
    id: ApiKeyId,
    owner: User,
    details: ApiKeyDetails,
    secretHash: string,
    at: Instant,
    createdBy: ApiKeyId | null = null,
  ): ApiKey => {
    requireValid<ApiKeyDetails>(ApiKey.rules, details);
    const { publishable = false, rateLimit = null } = details;
    if (publishable) requirePublishable(details.scopes);
    const allowed = Role.scopes(owner.role);
    const excess = details.scopes.filter((scope) => !allowed.includes(scope));
    if (excess.length > 0) {
      throw invalidField(
        'scopes',
        `must be among those of the role ${owner.role}, which lacks ${excess.join(', ')}`,
      );
    }
    if (ApiKey.isExpired(details, at)) throw invalidField('expiresAt', 'must be in the future');
    return {
      ...newResource(id, at),
      ...details,
      scopes: [...new Set(details.scopes)],
      userId: owner.id,
      createdBy,
      secretHash,
      lastUsedAt: null,
      publishable,
      rateLimit,
    };
  },

  /** @throws DomainError 'validation' */
  change: (key: ApiKey, changes: ApiKeyChanges, at: Instant): ApiKey =>
    updated(key, requireValidChanges<ApiKeyChanges>(ApiKey.rules, key, changes), at),

  /** Records a use. It always changes `lastUsedAt`, because that distinguishes a use, which has no event, from an update. */
  use: (key: ApiKey, at: Instant): ApiKey => {
    const lastUsedAt = at === key.lastUsedAt ? Instant.plus(at, 1) : at;
    return updated(key, { lastUsedAt }, lastUsedAt);
  },

  isExpired: ({ expiresAt }: Pick<ApiKey, 'expiresAt'>, at: Instant): boolean =>
    expiresAt !== null && expiresAt <= at,
};

const requirePublishable = (scopes: readonly Scope[]): void => {
  if (scopes.length === 0 || scopes.some((scope) => !publishableScopes.includes(scope)))
    throw invalidField('scopes', `must be ${publishableScopes} alone for a publishable key`);
};
