import { hash } from 'node:crypto';
import type { JWTVerifyGetKey } from 'jose';
import type { Authenticator } from '#application/ports/authenticator.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { Caller } from '#application/preconditions.ts';
import { Role } from '#domain/access.ts';
import type { ApiKeyId } from '#domain/api-key.ts';
import { Email } from '#domain/email.ts';
import { Id } from '#domain/resource.ts';
import type { User, UserId } from '#domain/user.ts';
import {
  type Claims,
  claimAt,
  highestRole,
  InvalidTokenError,
  isEmailClaim,
  lesserRole,
  maxTokenLength,
  scopesIn,
  verificationOf,
  verifyAccessToken,
} from './access-token.ts';
import { isJwt } from './composite-authenticator.ts';
import { TtlCache } from './credential-cache.ts';

/** Below the five seconds after which a change of the user must count; the rest is for the query. */
const defaultCredentialTtlMs = 4_000;
const maxCachedCredentials = 10_000;

interface TrustedProvider {
  readonly issuer: string;
  readonly audience: string;
  /** The claim with the user's e-mail address or id. */
  readonly userClaim: string;
  /** Whether to accept an address that the provider does not state to be verified. */
  readonly trustEmail: boolean;
  /** The claim with the roles; undefined to use the user's own role. */
  readonly roleClaim: string | undefined;
  /** The claim with the scopes; undefined to use all scopes of the role. */
  readonly scopesClaim: string | undefined;
}

interface Dependencies {
  readonly trusted: TrustedProvider;
  readonly key: JWTVerifyGetKey;
  readonly unitOfWork: UnitOfWork;
  /** In milliseconds since 1970. */
  readonly now: () => number;
  /** Called with the reason when a token is rejected. */
  readonly onRejected: (reason: string) => void;
  /** How long a credential is cached, in milliseconds. */
  readonly credentialTtlMs?: number | undefined;
}

interface Credential {
  readonly caller: Caller;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

/**
 * Authenticates callers by access tokens of an identity provider. A token acts for a user of Portico; its claims can narrow
 * that user's role and scopes, and never widen them.
 */
export const jwtAuthenticator = ({
  trusted,
  key,
  unitOfWork,
  now,
  onRejected,
  credentialTtlMs = defaultCredentialTtlMs,
}: Dependencies): Authenticator => {
  const { userClaim, trustEmail, roleClaim, scopesClaim } = trusted;
  const cache = new TtlCache<Credential>(credentialTtlMs, maxCachedCredentials);

  const findUser = async (claims: Claims): Promise<User | undefined> => {
    const value = claimAt(claims, userClaim);
    if (typeof value !== 'string')
      throw new InvalidTokenError(`It has no ${userClaim} claim to name its user.`);
    if (!isEmailClaim(userClaim)) {
      const id = Id.parse<UserId>(value);
      return id && unitOfWork.read(({ users }) => users.find(id));
    }
    const verification = verificationOf(claims, userClaim);
    if (verification === 'unverified') throw new InvalidTokenError('Its e-mail address is not verified.');
    if (verification === 'unknown' && !trustEmail) {
      throw new InvalidTokenError('It does not state that its e-mail address is verified.');
    }
    // Checked before it is lowercased: some letters outside ASCII (the Kelvin sign) have a lower case inside it.
    if (Email.given.violation(value) !== undefined) {
      throw new InvalidTokenError('Its e-mail address is not valid.');
    }
    const email = Email.normalize(value);
    return (await unitOfWork.read(({ users }) => users.page({ email }, { limit: 1 }))).rows[0];
  };

  const callerOf = (user: User, claims: Claims): Caller => {
    const role =
      roleClaim === undefined ? user.role : lesserRole(user.role, highestRole(claimAt(claims, roleClaim)));
    const allowed = Role.scopes(role);
    const granted = scopesClaim === undefined ? allowed : scopesIn(claimAt(claims, scopesClaim));
    const scopes = allowed.filter((scope) => granted.includes(scope));
    return { userId: user.id, role, scopes, keyId: keyIdOf(claims, trusted.issuer, user) };
  };

  const verify = async (token: string): Promise<Credential | undefined> => {
    try {
      // The decoder of base64url skips spaces, so that one token would have many texts.
      if (!isJwt(token)) throw new InvalidTokenError('It has not the form of a JWT.');
      const { claims, expiresAt } = await verifyAccessToken(token, key, trusted, now());
      const user = await findUser(claims);
      if (user === undefined)
        throw new InvalidTokenError(`No user of this shop has the ${userClaim} of the token.`);
      if (user.status === 'erased') throw new InvalidTokenError('Its user has been erased.');
      return { caller: callerOf(user, claims), expiresAt };
    } catch (error) {
      if (!(error instanceof InvalidTokenError)) throw error;
      onRejected(error.message);
      return undefined;
    }
  };

  const unlessExpired = (credential: Credential | undefined): Caller | undefined =>
    credential && now() < credential.expiresAt ? credential.caller : undefined;

  return {
    authenticate: async (token) => {
      if (token.length > maxTokenLength) {
        onRejected(`It is longer than ${maxTokenLength} characters.`);
        return undefined;
      }
      return unlessExpired(await cache.get(token, () => verify(token)));
    },
  };
};

/**
 * An id for all tokens of one client and subject, so that they share a rate limit as if they were one key. It is a UUID of
 * version 8 (RFC 9562 section 5.8), so it never equals the id of an API key.
 */
const keyIdOf = (claims: Claims, issuer: string, user: User): ApiKeyId => {
  const names = [issuer, claims.sub ?? user.id, claims.azp ?? claims.client_id ?? ''];
  const digits = hash('sha256', JSON.stringify(names));
  const parts = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
  ];
  return [...parts, digits.slice(20, 32)].join('-') as ApiKeyId;
};
