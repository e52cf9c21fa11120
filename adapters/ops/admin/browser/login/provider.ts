// @ts-nocheck
const { login } = document.body.dataset;

/** The identity provider at which people sign in; undefined where they cannot. */
export const provider = login === undefined ? undefined : JSON.parse(login);

/** Its name for people. */
export const providerName = provider && new URL(provider.issuer).host;

/** Where it sends people back. It has to know this address beforehand. */
export const redirectUri = `${location.origin}/admin`;
