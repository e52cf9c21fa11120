import { hash } from 'node:crypto';
import { errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { VerifiedSubject } from '#application/accounts/provisioning.ts';
import { ApplicationError } from '#application/errors.ts';
import { Role, roles, type Scope, scopes } from '#domain/access.ts';
import { Email } from '#domain/email.ts';
import { Identity } from '#domain/identity.ts';
import { User } from '#domain/user.ts';

/** Asymmetric signatures only: with a shared secret, every party that verifies a token could issue one. */
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** In characters, far above any provider's tokens: longer credentials are rejected before any work on them. */
export const maxTokenLength = 8_192;

/** How much the provider's clock may differ. */
const clockToleranceSeconds = 5;

/** The `typ` headers of access tokens; some providers send none. RFC 9068 section 2.1, RFC 8725 section 3.11. */
const accessTokenTypes: readonly unknown[] = [undefined, 'jwt', 'at+jwt', 'application/at+jwt'];

/** The `typ` claims of Keycloak's other tokens. */
const otherTokenTypes: readonly unknown[] = ['ID', 'Refresh', 'Offline', 'Logout'];

export interface AccessToken {
  readonly claims: Claims;
  /** In milliseconds since 1970, with the clock tolerance included. */
  readonly expiresAt: number;
}

/** A token that is rejected. The message goes into the log, so it never contains the token. */
export class InvalidTokenError extends Error {}

interface ExpectedClaims {
  readonly issuer: string;
  readonly audience: string;
}

/**
 * Verifies the signature and the standard claims of an access token.
 * @param now in milliseconds since 1970
 * @throws InvalidTokenError; ApplicationError 'unavailable' when the key cannot be loaded
 */
export const verifyAccessToken = async (
  token: string,
  key: JWTVerifyGetKey,
  { issuer, audience }: ExpectedClaims,
  now: number,
): Promise<AccessToken> => {
  const { payload, protectedHeader } = await verify(token, key, {
    ...{ algorithms, issuer, audience, clockTolerance: clockToleranceSeconds },
    ...{ requiredClaims: ['exp'], currentDate: new Date(now) },
  });
  const { exp = 0, iat } = payload;
  const claims: Claims = payload;
  const { typ } = protectedHeader;
  if (!accessTokenTypes.includes(typeof typ === 'string' ? typ.toLowerCase() : typ)) {
    throw new InvalidTokenError('Its typ header is not that of an access token.');
  }
  if (otherTokenTypes.includes(claims.typ) || 'at_hash' in claims || 'c_hash' in claims) {
    throw new InvalidTokenError('It is an ID, refresh or logout token, and no access token.');
  }
  // A bound token (RFC 7800) counts only together with a proof of possession, which Portico does not ask for.
  if ('cnf' in claims) throw new InvalidTokenError('It is bound to a key of its bearer.');
  if (iat !== undefined && iat > now / 1000 + clockToleranceSeconds) {
    throw new InvalidTokenError('It was issued in the future.');
  }
  return { claims, expiresAt: (exp + clockToleranceSeconds) * 1000 };
};

const verify = async (...args: Parameters<typeof jwtVerify>) => {
  try {
    return await jwtVerify(...args);
  } catch (error) {
    if (error instanceof ApplicationError) throw error;
    throw new InvalidTokenError(
      error instanceof errors.JOSEError ? error.message : 'Its key cannot be used.',
    );
  }
};

/** The payload of a token. */
export interface Claims {
  readonly [name: string]: unknown;
  readonly sub?: unknown;
  /** The client that the token was issued to, by either name. */
  readonly azp?: unknown;
  readonly client_id?: unknown;
  readonly email_verified?: unknown;
  readonly name?: unknown;
  /** Keycloak's kind of token. */
  readonly typ?: unknown;
}

/** Finds a claim by its whole name (`https://shop.example/roles`) or by a path (`realm_access.roles`). */
export const claimAt = (claims: Claims, name: string): unknown => {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Claims)[part];
  }
  return value;
};

/** A list, or a text that separates its values by spaces (RFC 6749 section 3.3). */
const valuesOf = (claim: unknown): readonly unknown[] =>
  Array.isArray(claim) ? claim : typeof claim === 'string' ? claim.split(' ') : [];

/** The most trusted known role that a claim names; the least trusted role when it names none. */
export const highestRole = (claim: unknown): Role => {
  const values = valuesOf(claim);
  return roles.findLast((role) => values.includes(role)) ?? roles[0];
};

export const lesserRole = (one: Role, other: Role): Role => (Role.isAtLeast(one, other) ? other : one);

/** The known scopes that a claim names. */
export const scopesIn = (claim: unknown): readonly Scope[] => {
  const values = valuesOf(claim);
  return scopes.filter((scope) => values.includes(scope));
};

/** What the provider states about an e-mail address; 'unknown' when it states nothing. */
export type Verification = 'verified' | 'unverified' | 'unknown';

/** @param name the claim with the address; the statement is beside it, or the standard `email_verified` */
export const verificationOf = (claims: Claims, name: string): Verification => {
  const statements = [claims.email_verified, claimAt(claims, `${name}_verified`)].filter(
    (statement) => statement !== undefined,
  );
  if (statements.length === 0) return 'unknown';
  return statements.every((statement) => statement === true || statement === 'true')
    ? 'verified'
    : 'unverified';
};

/**
 * The subject and the e-mail address that the provider has verified.
 * @param emailClaim the claim with the address
 * @throws InvalidTokenError when it lacks one of them
 */
export const verifiedSubject = (claims: Claims, issuer: string, emailClaim: string): VerifiedSubject => {
  const { sub: subject } = claims;
  if (typeof subject !== 'string' || Identity.rules.subject.violation(subject) !== undefined) {
    throw new InvalidTokenError('It has no sub claim of 1 to 255 characters to link its user by.');
  }
  if (verificationOf(claims, emailClaim) !== 'verified') {
    throw new InvalidTokenError('It does not state that its e-mail address is verified.');
  }
  const email = emailAt(claims, emailClaim);
  if (User.newEmail.violation(email) !== undefined)
    throw new InvalidTokenError('Its e-mail address is not one that a user can have.');
  const name = claims.name ?? claimAt(claims, emailClaim.replace(/email$/, 'name'));
  return {
    issuer,
    subject,
    key: subjectKey(issuer, subject),
    email,
    name: typeof name === 'string' ? name : undefined,
  };
};

/** Identifies a subject of an issuer. */
export const subjectKey = (issuer: string, subject: string): string =>
  hash('sha256', JSON.stringify([issuer, subject]));

/** The address in a claim, as users keep it. @throws InvalidTokenError when it is none */
export const emailAt = (claims: Claims, name: string): string => {
  const value = claimAt(claims, name);
  // Checked before it is lowercased: some letters outside ASCII (the Kelvin sign) have a lower case inside it.
  if (typeof value !== 'string' || Email.given.violation(value) !== undefined) {
    throw new InvalidTokenError('Its e-mail address is not valid.');
  }
  return Email.normalize(value);
};

/** Whether the claim holds an e-mail address. */
export const isEmailClaim = (name: string): boolean => /(^|[./:])email$/.test(name);
