import type { Callback } from './callback.ts';
import type { Provider } from './provider.ts';
import type { Tokens } from './token-request.ts';

/* What went wrong with a sign-in at an identity provider, in words for people. */

/** What the provider's callback lacks; undefined when it has a code for this tab. */
export const callbackProblem = (
  { code, verifier, iss, error, error_description: description }: Callback,
  provider: Provider,
  name: string,
): string | undefined => {
  // The texts of a callback that this tab has not asked for are those of a stranger.
  if (verifier === undefined)
    return 'This sign-in was not begun in this tab, or it has been used already. Sign in again.';
  if (iss === undefined ? provider.endpoints?.namesItself : iss !== provider.issuer)
    return `Not ${name} has sent you back, but another address. Sign in again, and tell your administrator if this repeats.`;
  if (error === 'access_denied')
    return `${name} has not let you in, or you have cancelled.${quote(description)}`;
  if (error !== undefined)
    return `${name} could not sign you in (${error.slice(0, 100)}).${quote(description)} Try again, or tell your administrator.`;
  return code === undefined ? `${name} has sent no code. Try again.` : undefined;
};

const quote = (text: string | undefined): string => (text ? ` It says: “${text.slice(0, 300)}”` : '');

/** Why a code got no tokens. */
export const exchangeProblem = (error: string, name: string, origin: string): string => {
  if (error === 'unreachable')
    return `${name} cannot be reached from this page. If this repeats, tell your administrator: ${name} must allow requests (CORS) from ${origin}.`;
  if (error === 'unavailable') return `${name} is out of order now. Try again in a minute.`;
  if (error === 'invalid_grant')
    return 'The sign-in took too long, or it has been used already. Sign in again.';
  return `${name} gave no access (${error.slice(0, 100)}). Tell your administrator: the admin page needs a public client, without a secret, that uses PKCE.`;
};

/** Why a token can never be accepted; undefined when it may be. */
export const tokenProblem = (
  { access_token: token, token_type: type }: Tokens,
  { audience, issuer }: Provider,
  name: string,
): string | undefined => {
  const claims = claimsOf(token);
  if (`${type}`.toLowerCase() !== 'bearer' || claims === undefined)
    return `${name} gave a token that is not for this shop. Tell your administrator: it must be a bearer token in the form JWT for the API “${audience}”.`;
  const audiences = [claims['aud']].flat();
  if (!audiences.includes(audience))
    return `${name} gave a token for “${audiences.join(', ')}”. Tell your administrator: it must be for “${audience}”, which is JWT_AUDIENCE.`;
  return claims['iss'] === issuer
    ? undefined
    : `${name} gave a token of “${claims['iss']}”. Tell your administrator: it must be of “${issuer}”, which is JWT_ISSUER.`;
};

/** Why no sign-in can begin. */
export const nothingStored = (name: string): string =>
  `Your browser stores nothing for this page, so it could not go on when you come back from ${name}. Let it store data (cookies) for this page, or sign in with a key.`;

/** Why the shop accepts the token of no user, and who has to be added. */
export const unknownUser = (token: string, { userClaim }: Provider, name: string): string => {
  const value = claimAt(claimsOf(token) ?? {}, userClaim);
  if (value === undefined)
    return `Your account at ${name} names no user of this shop: it has no “${userClaim}”. Ask your administrator to set it.`;
  const isAddress = /(^|[./:])email$/.test(userClaim);
  return isAddress
    ? `No user of this shop has the address ${value}, or ${name} has not verified it. Ask an administrator of the shop to add you as staff with that address.`
    : `No user of this shop has the id ${value}, which your account at ${name} has in “${userClaim}”. Ask an administrator of the shop to add you as staff, and to correct that id.`;
};

/** What may be too little. */
export const notStaff = (name: string): string =>
  `${name} has signed you in, but only staff can use this page. Ask an administrator of the shop to make you staff, or to let you see users and orders.`;

/** Reads the claims of a token without a check of its signature, which is the API's part. */
const claimsOf = (token: string): Claims | undefined => {
  const [, payload = '', ...rest] = token.split('.');
  if (rest.length !== 1) return undefined;
  try {
    const text = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
    const claims: unknown = JSON.parse(
      new TextDecoder().decode(Uint8Array.from(text, (sign) => sign.charCodeAt(0))),
    );
    return isClaims(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
};

type Claims = Readonly<Record<string, unknown>>;

const isClaims = (value: unknown): value is Claims => typeof value === 'object' && value !== null;

/** By its whole name, or by a path: `user.email`. */
const claimAt = (claims: Claims, name: string): unknown =>
  Object.hasOwn(claims, name)
    ? claims[name]
    : name.split('.').reduce<unknown>((value, part) => (isClaims(value) ? value[part] : undefined), claims);
