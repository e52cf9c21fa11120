import { ProviderMetadata } from '#adapters/auth/provider-metadata.ts';
import type { ProviderLogin } from '#adapters/ops/admin/login.ts';
import type { OpenLog } from '#adapters/system/log.ts';
import type { Config } from '../../config/config.ts';
import { secureUrl } from '../../config/env-parser.ts';

/** How the admin page signs people in at the identity provider; undefined where it asks for API keys only. */
export const adminLogin = (
  { identityProvider }: Config,
  log: OpenLog,
): (() => Promise<ProviderLogin>) | undefined => {
  if (identityProvider?.adminLogin === undefined) return undefined;
  const { issuer, audience, userClaim, adminLogin } = identityProvider;
  const metadata = new ProviderMetadata({
    issuer,
    parseUrl: secureUrl,
    report: (error) =>
      log.warn({ err: error }, 'The metadata of the identity provider could not be fetched.'),
  });
  return async () => ({ issuer, audience, userClaim, ...adminLogin, endpoints: await metadata.find() });
};
