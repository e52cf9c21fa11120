// @ts-nocheck
import { forget, keep, kept } from '../kept.ts';
import { refreshTokens } from './authorization-code.ts';
import { joinCopies, openChannel, openLocks } from './copies.ts';
import { provider, providerName, redirectUri } from './provider.ts';
import { revoke } from './token-request.ts';

/* The tokens are kept as a key is: for this tab, until it is closed. A copy of the tab has them, too. */

const name = 'portico-login';

const stored = () => {
  const text = kept(name);
  return text === undefined ? undefined : JSON.parse(text);
};

/** Tokens are renewed half a minute before their end; those that live shorter than a minute, after half of their life. */
const toStored = ({ access_token: accessToken, refresh_token: refreshToken, expires_in }, earlier) => {
  const seconds = Number(expires_in);
  const life = seconds > 0 ? seconds * 1000 : Number.MAX_SAFE_INTEGER / 2;
  return {
    ...{ id: earlier?.id ?? crypto.randomUUID(), generation: (earlier?.generation ?? 0) + 1 },
    ...{ accessToken, refreshToken: refreshToken ?? earlier?.refreshToken },
    renewAt: Date.now() + Math.max(life - 30_000, life / 2),
    endsAt: Date.now() + life,
  };
};

const store = (login) => keep(name, JSON.stringify(login));

export const hasLogin = () => provider !== undefined && stored() !== undefined;
export const storeTokens = (response) => store(toStored(response));
export const forgetTokens = () => forget(name);

const copies =
  provider && joinCopies({ current: stored, take: store, channel: openChannel(), locks: openLocks() });

/** The access token, renewed in time where the provider has given a refresh token. @throws Error while it cannot be renewed */
export const accessToken = async () => {
  const login = requireLogin();
  if (!isDue(login)) return login.accessToken;
  renewing ??= copies
    .inTurn(renew)
    .catch((error) => {
      if (error.name !== 'TimeoutError') throw error;
      return untilItsEnd(requireLogin());
    })
    .finally(() => {
      renewing = undefined;
    });
  return renewing;
};

const requireLogin = () => {
  const login = stored();
  if (login === undefined) throw new Error('You are signed out.');
  return login;
};

const isDue = ({ refreshToken, renewAt }) => refreshToken !== undefined && Date.now() >= renewAt;

/** One at a time, over all copies of this tab: providers take a refresh token that is used twice for a stolen one. */
let renewing: unknown;

const renew = async () => {
  const login = requireLogin();
  // A copy of this tab may have renewed it.
  if (!isDue(login)) return login.accessToken;
  const { tokens, error } = await refreshTokens(login.refreshToken);
  // Signed out meanwhile, or signed in anew.
  if (stored()?.refreshToken !== login.refreshToken) {
    revoke(tokens?.refresh_token);
    return requireLogin().accessToken;
  }
  if (tokens !== undefined) {
    store(toStored(tokens, login));
    copies.tell();
    return tokens.access_token;
  }
  if (error === 'unreachable' || error === 'unavailable') return untilItsEnd(login);
  // The API decides whether the access token is still good.
  store({ ...login, refreshToken: undefined });
  return login.accessToken;
};

const untilItsEnd = (login) => {
  if (Date.now() < login.endsAt) return login.accessToken;
  throw new Error(`Your sign-in could not be renewed, because ${providerName} does not respond. Try again.`);
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
