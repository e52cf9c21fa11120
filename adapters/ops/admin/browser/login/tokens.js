import { provider, providerName, redirectUri } from './provider.js';
import { refreshTokens } from './sign-in.js';
import { revoke } from './token-request.js';

/* The tokens are kept as a key is: for this tab, until it is closed. */

const name = 'portico-login';

const stored = () => {
  const text = sessionStorage.getItem(name);
  return text === null ? undefined : JSON.parse(text);
};

/** Tokens are renewed half a minute before their end; those that live shorter than a minute, after half of their life. */
const toStored = ({ access_token: accessToken, refresh_token: refreshToken, expires_in }, earlier) => {
  const seconds = Number(expires_in);
  const life = seconds > 0 ? seconds * 1000 : Number.MAX_SAFE_INTEGER / 2;
  return {
    ...{ accessToken, refreshToken: refreshToken ?? earlier },
    renewAt: Date.now() + Math.max(life - 30_000, life / 2),
    endsAt: Date.now() + life,
  };
};

const store = (login) => sessionStorage.setItem(name, JSON.stringify(login));

export const hasLogin = () => provider !== undefined && stored() !== undefined;
export const storeTokens = (response) => store(toStored(response));
export const forgetTokens = () => sessionStorage.removeItem(name);

/** The access token, renewed in time where the provider has given a refresh token. @throws Error while it cannot be renewed */
export const accessToken = async () => {
  const login = stored();
  if (login === undefined) throw new Error('You are signed out.');
  if (login.refreshToken === undefined || Date.now() < login.renewAt) return login.accessToken;
  renewing ??= renew(login).finally(() => {
    renewing = undefined;
  });
  return renewing;
};

/** One at a time: providers take a refresh token that is used twice for a stolen one. */
let renewing;

const renew = async (login) => {
  const { tokens, error } = await refreshTokens(login.refreshToken);
  // Signed out meanwhile, or signed in anew.
  if (stored()?.refreshToken !== login.refreshToken) {
    revoke(tokens?.refresh_token);
    return accessToken();
  }
  if (tokens !== undefined) {
    store(toStored(tokens, login.refreshToken));
    return tokens.access_token;
  }
  if (error === 'unreachable' || error === 'unavailable') {
    if (Date.now() < login.endsAt) return login.accessToken;
    throw new Error(
      `Your sign-in could not be renewed, because ${providerName} does not respond. Try again.`,
    );
  }
  // The API decides whether the access token is still good.
  store({ ...login, refreshToken: undefined });
  return login.accessToken;
};

/**
 * Forgets the tokens, and logs out at the provider.
 * @returns whether the browser leaves this page for that
 */
export const logOut = () => {
  revoke(stored()?.refreshToken);
  forgetTokens();
  const { endSession } = provider.endpoints ?? {};
  if (endSession === undefined) return false;
  const url = new URL(endSession);
  url.searchParams.set('client_id', provider.clientId);
  url.searchParams.set('post_logout_redirect_uri', redirectUri);
  location.assign(url);
  return true;
};
