import { keyAuthenticator } from '#adapters/auth/key-authenticator.ts';
import { provisionCustomer } from '#application/accounts/provisioning.ts';
import type { Authenticator } from '#application/ports/authenticator.ts';
import type { NewId } from '#application/ports/system.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { AdapterModule } from '../../config/adapter-module.ts';
import type { IdentityProvider } from '../../config/identity-provider.ts';
import { openAdapter } from '../modules/load-adapter.ts';
import type { Closable } from '../tokens.ts';

type KeyDependencies = Parameters<typeof keyAuthenticator>[0];

interface TokenOptions {
  readonly provider: IdentityProvider | undefined;
  readonly now: () => number;
  readonly newId: NewId;
  readonly onRejected: (reason: string) => void;
  /** Called when the provider's keys could not be fetched. */
  readonly onUnavailable: (error: unknown) => void;
}

/** Authenticates by API key, and by access token where an identity provider is set. What reads tokens is loaded only then. */
export const openAuthenticator = async (
  keys: KeyDependencies,
  { provider, now, newId, onRejected, onUnavailable }: TokenOptions,
): Promise<Authenticator> => {
  const byKey = keyAuthenticator(keys);
  if (provider === undefined) return byKey;
  const { jwtAuthenticator } = await import('#adapters/auth/jwt-authenticator.ts');
  const { JwksCache } = await import('#adapters/auth/jwks-cache.ts');
  const { compositeAuthenticator } = await import('#adapters/auth/composite-authenticator.ts');
  const { find } = new JwksCache(provider.keysUrl, onUnavailable);
  const byToken = jwtAuthenticator({
    trusted: provider,
    key: find,
    unitOfWork: keys.unitOfWork,
    now,
    provision: provider.provision
      ? (subject, requestId) => provisionCustomer({ ...keys, newId }, subject, requestId)
      : undefined,
    onRejected,
    credentialTtlMs: keys.credentialTtlMs,
  });
  return compositeAuthenticator(byKey, byToken, onRejected);
};

/**
 * Adds an authenticator from outside, which is asked about every credential that Portico itself does not know.
 * @throws SettingError when the module cannot be used
 */
export const withModule = async (
  own: Authenticator,
  module: AdapterModule | undefined,
  { unitOfWork, now }: { readonly unitOfWork: UnitOfWork; readonly now: () => number },
): Promise<Closable<Authenticator>> => {
  if (module === undefined) return own;
  const dependencies = { unitOfWork, now };
  const parts = { authenticate: 'function' } as const;
  const other = await openAdapter<Closable<Authenticator>>(module, dependencies, parts);
  return {
    authenticate: async (token, fresh) =>
      (await own.authenticate(token, fresh)) ?? other.authenticate(token, fresh),
    close: async () => other.close?.(),
  };
};
