import type { JWTPayload } from 'jose';
import { Client, type Json } from './client.ts';
import { expectList } from './expectations.ts';
import { IdentityProvider } from './identity-provider.ts';
import type { Service } from './service.ts';

export const provider = new IdentityProvider();

export const provisioning = (more: Readonly<Record<string, string>> = {}) => ({
  JWT_ISSUER: provider.issuer,
  JWT_AUDIENCE: provider.audience,
  get JWT_JWKS_URL() {
    return provider.keysUrl;
  },
  JWT_PROVISION: '1',
  ...more,
});

let people = 0;

/** A person whom the provider knows, and a client with their token. */
export const visitor = async (service: Service, claims: JWTPayload = {}) => {
  people += 1;
  const stated = { sub: `subject-${people}`, email: `visitor-${people}@example.com`, email_verified: true };
  const all = { ...stated, name: `Visitor ${people}`, ...claims };
  const client = new Client(() => service.url, await provider.token(all));
  return { ...all, client };
};

export const usersWith = async (service: Service, email: string): Promise<readonly Json[]> =>
  expectList(await service.operator.get(`/v1/users?email=${encodeURIComponent(email)}`));
