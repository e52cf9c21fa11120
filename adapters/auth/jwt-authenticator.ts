import { hash } from 'node:crypto';
import type { JWTVerifyGetKey } from 'jose';
import type { Caller } from '#application/access.ts';
import type { Authenticator } from '#application/ports/authenticator.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { Role } from '#domain/access.ts';
import type { ApiKeyId } from '#domain/api-key.ts';
import { Id } from '#domain/id.ts';
import { User, type UserId } from '#domain/user.ts';
import { longestToken, readAccessToken, TokenRefused } from './access-token.ts';
import {
  type Claims,
  claimAt,
  highestRole,
  isEmailClaim,
  lesserRole,
  scopesIn,
  verificationOf,
} from './claims.ts';
import { Recent } from './credential-cache.ts';

/** Less than the five seconds within which a change of the user must be obeyed; the rest is for the look-up itself. */
const credentialLifetime = 4_000;
const mostCredentials = 10_000;

interface Trusted {
  readonly issuer: string;
  readonly audience: string;
  /** The names of the claims; undefined where the user's own role, or all its scopes, are meant. */
  readonly userClaim: string;
  /** Whether an address is believed of which the provider does not say that it is verified. */
  readonly trustEmail: boolean;
  readonly roleClaim: string | undefined;
  readonly scopesClaim: string | undefined;
}

interface Dependencies {
  readonly trusted: Trusted;
  readonly key: JWTVerifyGetKey;
  readonly unitOfWork: UnitOfWork;
  /** In milliseconds since 1970. */
  readonly now: () => number;
  /** Told why a token was not believed. */
  readonly refused: (reason: string) => void;
}

interface Credential {
  readonly caller: Caller;
  readonly until: number;
}

/**
 * Knows callers by access tokens of an identity provider. A token stands for a user of ours and can narrow what they may
 * do, never widen it: what somebody may do here is decided here.
 */
export const jwtAuthenticator = ({ trusted, key, unitOfWork, now, refused }: Dependencies): Authenticator => {
  const { userClaim, trustEmail, roleClaim, scopesClaim } = trusted;
  const recent = new Recent<Credential>(credentialLifetime, mostCredentials);

  const findUser = async (claims: Claims): Promise<User | undefined> => {
    const value = claimAt(claims, userClaim);
    if (typeof value !== 'string') throw new TokenRefused('It does not say for whom it stands.');
    if (!isEmailClaim(userClaim)) {
      const id = Id.parse<UserId>(value);
      return id && unitOfWork.read(({ users }) => users.find(id));
    }
    const verification = verificationOf(claims, userClaim);
    if (verification === 'unverified') throw new TokenRefused('Its e-mail address is not verified.');
    if (verification === 'unsaid' && !trustEmail) {
      throw new TokenRefused('It does not say that its e-mail address is verified.');
    }
    // Some letters that are in no address here become one that is when they are written small.
    if (User.rules.email.violation(value) !== undefined)
      throw new TokenRefused('Its e-mail address is none.');
    const email = value.toLowerCase();
    return (await unitOfWork.read(({ users }) => users.page({ email }, { limit: 1 }))).rows[0];
  };

  const callerOf = (user: User, claims: Claims): Caller => {
    const role =
      roleClaim === undefined ? user.role : lesserRole(user.role, highestRole(claimAt(claims, roleClaim)));
    const allowed = Role.scopes(role);
    const granted = scopesClaim === undefined ? allowed : scopesIn(claimAt(claims, scopesClaim));
    const scopes = new Set(allowed.filter((scope) => granted.includes(scope)));
    return { userId: user.id, role, scopes, keyId: keyIdOf(claims, trusted.issuer, user) };
  };

  const lookUp = async (token: string): Promise<Credential | undefined> => {
    try {
      const { claims, until } = await readAccessToken(token, key, trusted, now());
      const user = await findUser(claims);
      if (user === undefined) throw new TokenRefused('There is no such user here.');
      return { caller: callerOf(user, claims), until };
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error;
      refused(error.message);
      return undefined;
    }
  };

  const callerNow = (credential: Credential | undefined): Caller | undefined =>
    credential && now() < credential.until ? credential.caller : undefined;

  return {
    authenticate: (token) => {
      if (token.length > longestToken) {
        refused('It is too long.');
        return undefined;
      }
      const found = recent.get(token, () => lookUp(token));
      return found instanceof Promise ? found.then(callerNow) : callerNow(found);
    },
  };
};

/**
 * The same for all tokens that the provider gives to one client for one subject, so these share a rate limit as if they
 * were one key. It is a UUID of version 8, as no key of ours has.
 */
const keyIdOf = (claims: Claims, issuer: string, user: User): ApiKeyId => {
  const named = [issuer, claims.sub ?? user.id, claims.azp ?? claims.client_id ?? ''];
  const digits = hash('sha256', JSON.stringify(named));
  const parts = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
  ];
  return [...parts, digits.slice(20, 32)].join('-') as ApiKeyId;
};
