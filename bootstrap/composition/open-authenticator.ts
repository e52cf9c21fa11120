import { keyAuthenticator } from '#adapters/auth/key-authenticator.ts';
import type { Authenticator } from '#application/ports/authenticator.ts';
import type { IdentityProvider } from '../config/identity-provider.ts';

type Keys = Parameters<typeof keyAuthenticator>[0];

interface Tokens {
  readonly provider: IdentityProvider | undefined;
  readonly now: () => number;
  readonly refused: (reason: string) => void;
  /** Told when the provider's keys could not be had. */
  readonly reportAway: (error: unknown) => void;
}

/** What reads tokens is loaded by those only who have an identity provider. */
export const openAuthenticator = async (
  keys: Keys,
  { provider, now, refused, reportAway }: Tokens,
): Promise<Authenticator> => {
  const byKey = keyAuthenticator(keys);
  if (provider === undefined) return byKey;
  const { jwtAuthenticator } = await import('#adapters/auth/jwt-authenticator.ts');
  const { JwksCache } = await import('#adapters/auth/jwks-cache.ts');
  const { compositeAuthenticator } = await import('#adapters/auth/composite-authenticator.ts');
  const { find } = new JwksCache(provider.keysUrl, reportAway);
  const { unitOfWork } = keys;
  const byToken = jwtAuthenticator({ trusted: provider, key: find, unitOfWork, now, onRejected: refused });
  return compositeAuthenticator(byKey, byToken, refused);
};
