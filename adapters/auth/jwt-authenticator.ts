import { hash } from 'node:crypto';
import type { JWTVerifyGetKey } from 'jose';
import type { VerifiedSubject } from '#application/accounts/provisioning.ts';
import type { Authenticator, PendingCaller } from '#application/ports/authenticator.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { Caller } from '#application/preconditions.ts';
import { Role } from '#domain/access.ts';
import type { ApiKeyId } from '#domain/api-key.ts';
import { Id } from '#domain/resource.ts';
import type { User, UserId } from '#domain/user.ts';
import {
  type AccessToken,
  type Claims,
  claimAt,
  emailAt,
  highestRole,
  InvalidTokenError,
  isEmailClaim,
  lesserRole,
  maxTokenLength,
  scopesIn,
  subjectKey,
  verificationOf,
  verifiedSubject,
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
  /**
   * Creates or links the user of a subject that has none. Without this, tokens stand for users who exist.
   * @returns undefined when the subject can have no user
   */
  readonly provision?:
    | ((subject: VerifiedSubject, requestId: string | undefined) => Promise<User | undefined>)
    | undefined;
  /** Called with the reason when a token is rejected. */
  readonly onRejected: (reason: string) => void;
  /** How long a credential is cached, in milliseconds. */
  readonly credentialTtlMs?: number | undefined;
}

interface Credential {
  /** Replaced once a pending caller has their user. */
  caller: Caller | PendingCaller;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

/**
 * Authenticates callers by access tokens of an identity provider. A token acts for a user of Portico; its claims can narrow
 * that user's role and scopes, and never widen them. Where users are provisioned, a subject without one is a pending caller.
 */
export const jwtAuthenticator = ({
  trusted,
  key,
  unitOfWork,
  now,
  provision,
  onRejected,
  credentialTtlMs = defaultCredentialTtlMs,
}: Dependencies): Authenticator => {
  const { userClaim, trustEmail, roleClaim, scopesClaim } = trusted;
  const cache = new TtlCache<Credential>(credentialTtlMs, maxCachedCredentials);

  const findByIdClaim = async (value: string): Promise<User | undefined> => {
    const id = Id.parse<UserId>(value);
    return id && unitOfWork.read(({ users }) => users.find(id));
  };

  const findUser = async (claims: Claims): Promise<User | undefined> => {
    const value = claimAt(claims, userClaim);
    if (typeof value !== 'string')
      throw new InvalidTokenError(`It has no ${userClaim} claim to name its user.`);
    if (!isEmailClaim(userClaim)) return findByIdClaim(value);
    const verification = verificationOf(claims, userClaim);
    if (verification === 'unverified') throw new InvalidTokenError('Its e-mail address is not verified.');
    if (verification === 'unknown' && !trustEmail) {
      throw new InvalidTokenError('It does not state that its e-mail address is verified.');
    }
    const email = emailAt(claims, userClaim);
    return (await unitOfWork.read(({ users }) => users.page({ email }, { limit: 1 }))).rows[0];
  };

  /** The user whom a claim names by id, or else the one who is linked to the subject. An address names none. */
  const findLinkedUser = async (claims: Claims): Promise<User | undefined> => {
    const value = isEmailClaim(userClaim) ? undefined : claimAt(claims, userClaim);
    const named = typeof value === 'string' ? await findByIdClaim(value) : undefined;
    const { sub } = claims;
    if (named !== undefined || typeof sub !== 'string') return named;
    const key = subjectKey(trusted.issuer, sub);
    return unitOfWork.read(async ({ identities, users }) => {
      const [link] = await identities.findBy('key', [key]);
      return link && users.find(link.userId);
    });
  };

  const callerOf = (user: User, claims: Claims): Caller => {
    const role =
      roleClaim === undefined ? user.role : lesserRole(user.role, highestRole(claimAt(claims, roleClaim)));
    const allowed = Role.scopes(role);
    const granted = scopesClaim === undefined ? allowed : scopesIn(claimAt(claims, scopesClaim));
    const scopes = allowed.filter((scope) => granted.includes(scope));
    return { userId: user.id, role, scopes, keyId: keyIdOf(claims, trusted.issuer, user.id) };
  };

  const requireActive = (user: User | undefined): User => {
    if (user === undefined)
      throw new InvalidTokenError(`No user of this shop has the ${userClaim} of the token.`);
    if (user.status === 'erased') throw new InvalidTokenError('Its user has been erased.');
    return user;
  };

  /** Rejects a token with the reason. Other errors are thrown on. */
  const unlessInvalid = async <T>(authenticating: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await authenticating();
    } catch (error) {
      if (!(error instanceof InvalidTokenError)) throw error;
      onRejected(error.message);
      return undefined;
    }
  };

  const credentialOf = async ({ claims, expiresAt }: AccessToken): Promise<Credential> => {
    if (provision === undefined)
      return { caller: callerOf(requireActive(await findUser(claims)), claims), expiresAt };
    const user = await findLinkedUser(claims);
    if (user !== undefined) return { caller: callerOf(requireActive(user), claims), expiresAt };
    const subject = verifiedSubject(claims, trusted.issuer, isEmailClaim(userClaim) ? userClaim : 'email');
    const provisionUser = async (requestId?: string): Promise<Caller> => {
      const provisioned = await provision(subject, requestId);
      if (provisioned === undefined)
        throw new InvalidTokenError('Its e-mail address belongs to a user who is no active customer.');
      const caller = callerOf(requireActive(provisioned), claims);
      credential.caller = caller;
      return caller;
    };
    const pending = {
      keyId: keyIdOf(claims, trusted.issuer),
      provision: sharedUntilError((requestId?: string) => unlessInvalid(() => provisionUser(requestId))),
    };
    const credential: Credential = { caller: pending, expiresAt };
    return credential;
  };

  const verify = (token: string): Promise<Credential | undefined> =>
    unlessInvalid(async () => {
      // The decoder of base64url skips spaces, so that one token would have many texts.
      if (!isJwt(token)) throw new InvalidTokenError('It has not the form of a JWT.');
      return credentialOf(await verifyAccessToken(token, key, trusted, now()));
    });

  const unlessExpired = (credential: Credential | undefined): Caller | PendingCaller | undefined =>
    credential && now() < credential.expiresAt ? credential.caller : undefined;

  return {
    authenticate: async (token, fresh) => {
      if (token.length > maxTokenLength) {
        onRejected(`It is longer than ${maxTokenLength} characters.`);
        return undefined;
      }
      return unlessExpired(await cache.get(token, () => verify(token), fresh));
    },
  };
};

/** Calls a function once, and again only after it has rejected. */
const sharedUntilError = <A extends readonly unknown[], T>(call: (...given: A) => Promise<T>) => {
  let shared: Promise<T> | undefined;
  return (...given: A): Promise<T> => {
    shared ??= call(...given).catch((error) => {
      shared = undefined;
      throw error;
    });
    return shared;
  };
};

/**
 * An id for all tokens of one client and subject, so that they share a rate limit as if they were one key. It is a UUID of
 * version 8 (RFC 9562 section 5.8), so it never equals the id of an API key.
 */
const keyIdOf = (claims: Claims, issuer: string, userId?: UserId): ApiKeyId => {
  const names = [issuer, claims.sub ?? userId, claims.azp ?? claims.client_id ?? ''];
  const digits = hash('sha256', JSON.stringify(names));
  const parts = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
  ];
  return [...parts, digits.slice(20, 32)].join('-') as ApiKeyId;
};
