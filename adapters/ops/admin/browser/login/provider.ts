import type { ProviderLogin } from '../../login.ts';

/** The identity provider, as the server describes it in the page. */
export type Provider = ProviderLogin;

const text = document.body.dataset['login'];

/** The identity provider at which people sign in; undefined where they cannot. */
export const provider: Provider | undefined = text === undefined ? undefined : JSON.parse(text);

/** Its name for people; '' where there is none. */
export const providerName = provider === undefined ? '' : new URL(provider.issuer).host;

/** @throws Error where there is no identity provider */
export const requireProvider = (): Provider => {
  if (provider === undefined) throw new Error('People sign in here with a key only.');
  return provider;
};

/** @throws Error while the server does not know the endpoints */
export const requireEndpoints = ({ endpoints }: Provider): NonNullable<Provider['endpoints']> => {
  if (endpoints === undefined) throw new Error(`${providerName}, where you sign in, does not respond now.`);
  return endpoints;
};

/** Where it sends people back. It has to know this address beforehand. */
export const redirectUri = `${location.origin}/admin`;
