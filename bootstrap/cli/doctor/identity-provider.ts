import { ApplicationError } from '#application/errors.ts';
import type { Config } from '../../config/config.ts';
import { type Finding, findingsOf } from './finding.ts';

const { ok, warn, fail } = findingsOf('identity');

/** Whether the keys of the identity provider can be had, where there is one. */
export const checkIdentityProvider = async ({
  identityProvider,
}: Pick<Config, 'identityProvider'>): Promise<readonly Finding[]> => {
  if (identityProvider === undefined) return [];
  const { keysUrl } = identityProvider;
  const { host } = new URL(keysUrl);
  const { KeySet } = await import('#adapters/auth/jwks-cache.ts');
  try {
    const count = await new KeySet(keysUrl, () => undefined).count();
    if (count > 0) return [ok(`${host} shows ${count} ${count === 1 ? 'key' : 'keys'}`)];
    return [
      warn(`${host} shows no keys`, 'Without a key no token can be checked. See that JWT_JWKS_URL is right.'),
    ];
  } catch (error) {
    if (!(error instanceof ApplicationError)) throw error;
    const { message, cause } = error.cause as Error;
    const reason = cause instanceof Error ? cause.message : message;
    const remedy =
      'See that this machine reaches JWT_JWKS_URL, and that it is the address of a JSON Web Key Set.';
    return [fail(`the keys at ${host} cannot be had: ${reason}`, remedy)];
  }
};
