import { errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { ApplicationError } from '#application/errors.ts';
import type { Claims } from './claims.ts';

/** Signed with a private key: with a shared secret, whoever could check a token could make one. */
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** No provider's token comes near it, in characters; nothing longer is to be looked at. */
export const longestToken = 8_192;

/** By how much the provider's clock may differ, in seconds. */
const tolerance = 5;

/** What says so of itself in its header is for access, or does not say. RFC 9068, 2.1; RFC 8725, 3.11. */
const types: readonly unknown[] = [undefined, 'jwt', 'at+jwt', 'application/at+jwt'];

/** What Keycloak's other tokens say of themselves. */
const otherUses: readonly unknown[] = ['ID', 'Refresh', 'Offline', 'Logout'];

export interface AccessToken {
  readonly claims: Claims;
  /** Until when it is to be believed, in milliseconds since 1970. */
  readonly until: number;
}

/** A token that must not be believed. The message is for the log, and has nothing of the token in it. */
export class TokenRefused extends Error {}

interface Expected {
  readonly issuer: string;
  readonly audience: string;
}

/**
 * @param now in milliseconds since 1970
 * @throws TokenRefused; ApplicationError 'unavailable' when its key cannot be looked up
 */
export const readAccessToken = async (
  text: string,
  key: JWTVerifyGetKey,
  { issuer, audience }: Expected,
  now: number,
): Promise<AccessToken> => {
  const { payload, protectedHeader } = await verified(text, key, {
    ...{ algorithms, issuer, audience, clockTolerance: tolerance },
    ...{ requiredClaims: ['exp'], currentDate: new Date(now) },
  });
  const { exp = 0, iat } = payload;
  const claims: Claims = payload;
  const { typ } = protectedHeader;
  if (!types.includes(typeof typ === 'string' ? typ.toLowerCase() : typ)) {
    throw new TokenRefused('It is of another type.');
  }
  if (otherUses.includes(claims.typ) || 'at_hash' in claims || 'c_hash' in claims) {
    throw new TokenRefused('It says who somebody is, or gets other tokens, and is not for access.');
  }
  // It is worth something only together with a proof, which nobody asks for here.
  if ('cnf' in claims) throw new TokenRefused('It is bound to a key of its bearer.');
  if (iat !== undefined && iat > now / 1000 + tolerance) throw new TokenRefused('It is from the future.');
  return { claims, until: (exp + tolerance) * 1000 };
};

const verified = async (...given: Parameters<typeof jwtVerify>) => {
  try {
    return await jwtVerify(...given);
  } catch (error) {
    if (error instanceof ApplicationError) throw error;
    throw new TokenRefused(error instanceof errors.JOSEError ? error.message : 'Its key cannot be used.');
  }
};
