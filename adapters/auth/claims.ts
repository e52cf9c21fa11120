import { Role, roles, type Scope, scopes } from '#domain/access.ts';

/** The payload of a token. */
export interface Claims {
  readonly [name: string]: unknown;
  readonly sub?: unknown;
  /** The client that the token was issued to, by either name. */
  readonly azp?: unknown;
  readonly client_id?: unknown;
  readonly email_verified?: unknown;
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

/** Whether the claim holds an e-mail address. */
export const isEmailClaim = (name: string): boolean => /(^|[./:])email$/.test(name);
