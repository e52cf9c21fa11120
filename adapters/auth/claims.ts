import { Role, roles, type Scope, scopes } from '#domain/access.ts';

/** What an identity provider says of somebody. */
export interface Claims {
  readonly [name: string]: unknown;
  readonly sub?: unknown;
  /** The client that got the token, by either name. */
  readonly azp?: unknown;
  readonly client_id?: unknown;
  readonly email_verified?: unknown;
  /** What the token is for, as Keycloak says it. */
  readonly typ?: unknown;
}

/**
 * A claim by its name, which may be an address as a whole (`https://shop.example/roles`), or lead inwards
 * (`realm_access.roles`).
 */
export const claimAt = (claims: Claims, name: string): unknown => {
  if (Object.hasOwn(claims, name)) return claims[name];
  let inner: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, part)) return undefined;
    inner = (inner as Claims)[part];
  }
  return inner;
};

/** A list, or a text with spaces between. */
const wordsOf = (claim: unknown): readonly unknown[] =>
  Array.isArray(claim) ? claim : typeof claim === 'string' ? claim.split(' ') : [];

/** The most trusted of the roles that it names and that there are here; the least trusted when it names none. */
export const highestRole = (claim: unknown): Role => {
  const named = wordsOf(claim);
  return roles.findLast((role) => named.includes(role)) ?? roles[0];
};

export const lesserRole = (one: Role, other: Role): Role => (Role.isAtLeast(one, other) ? other : one);

/** Those that there are here. */
export const scopesIn = (claim: unknown): readonly Scope[] => {
  const named = wordsOf(claim);
  return scopes.filter((scope) => named.includes(scope));
};

/** What a provider says of an address: that it is verified, that it is not, or neither. */
export type Verification = 'verified' | 'unverified' | 'unsaid';

/** @param name of the claim with the address; what is said of it stands beside it, or on top */
export const verificationOf = (claims: Claims, name: string): Verification => {
  const said = [claims.email_verified, claimAt(claims, `${name}_verified`)].filter(
    (each) => each !== undefined,
  );
  if (said.length === 0) return 'unsaid';
  return said.every((each) => each === true || each === 'true') ? 'verified' : 'unverified';
};

/** Whether the claim is about an e-mail address. */
export const isEmailClaim = (name: string): boolean => /(^|[./:])email$/.test(name);
