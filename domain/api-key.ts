import { Role, type Scope } from './access.ts';
import { invalid } from './errors.ts';
import type { Id } from './id.ts';
import type { Instant } from './instant.ts';
import { born, changed, type Resource } from './resource.ts';
import { keep, text } from './rule.ts';
import type { User, UserId } from './user.ts';

export type ApiKeyId = Id<'api-key'>;

export interface ApiKeyDetails {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Instant | null;
}

/** A user's credential. Only the hash of its secret is known here; the secret was shown once. */
export interface ApiKey extends Resource<ApiKeyId>, ApiKeyDetails {
  readonly userId: UserId;
  /** SHA-256 of the secret, in hexadecimal. */
  readonly secretHash: string;
  /** The last time that it was seen at work, to within a minute. */
  readonly lastUsedAt: Instant | null;
}

export const ApiKey = {
  rules: { name: text(1, 200) },

  /** @throws DomainError 'validation' when the role lacks a scope, or the key would be born expired */
  issue: (id: ApiKeyId, owner: User, details: ApiKeyDetails, secretHash: string, at: Instant): ApiKey => {
    keep<ApiKeyDetails>(ApiKey.rules, details);
    const allowed = Role.scopes(owner.role);
    const excess = details.scopes.filter((scope) => !allowed.includes(scope));
    if (excess.length > 0) {
      throw invalid(
        'scopes',
        `must be among those of the role ${owner.role}, which lacks ${excess.join(', ')}`,
      );
    }
    if (ApiKey.expired(details, at)) throw invalid('expiresAt', 'must be in the future');
    return {
      ...born(id, at),
      ...details,
      scopes: [...new Set(details.scopes)],
      userId: owner.id,
      secretHash,
      lastUsedAt: null,
    };
  },

  use: (key: ApiKey, at: Instant): ApiKey => changed(key, { lastUsedAt: at }, at),

  expired: ({ expiresAt }: Pick<ApiKey, 'expiresAt'>, at: Instant): boolean =>
    expiresAt !== null && expiresAt <= at,
};
