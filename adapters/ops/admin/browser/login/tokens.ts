import { errorOf } from '../errors.ts';
import { forget, keep, kept } from '../kept.ts';
import { refreshTokens } from './authorization-code.ts';
import { type Copied, joinCopies, openChannel, openLocks } from './copies.ts';
import { provider, providerName, redirectUri } from './provider.ts';
import { revoke, type Tokens } from './token-request.ts';

/* The tokens are kept as a key is: for this tab, until it is closed. A copy of the tab has them, too. */

const name = 'portico-login';

interface Login extends Copied {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /** In milliseconds since 1970, as `endsAt` is. */
  readonly renewAt: number;
  readonly endsAt: number;
}

const stored = (): Login | undefined => {
  const text = kept(name);
  return text === undefined ? undefined : JSON.parse(text);
};

/** Tokens are renewed half a minute before their end; those that live shorter than a minute, after half of their life. */
const toStored = (
  { access_token: accessToken, refresh_token: refreshToken, expires_in }: Tokens,
  earlier?: Login,
): Login => {
  const seconds = Number(expires_in);
  const life = seconds > 0 ? seconds * 1000 : Number.MAX_SAFE_INTEGER / 2;
  return {
    ...{ id: earlier?.id ?? crypto.randomUUID(), generation: (earlier?.generation ?? 0) + 1 },
    ...{ accessToken, refreshToken: refreshToken ?? earlier?.refreshToken },
    renewAt: Date.now() + Math.max(life - 30_000, life / 2),
    endsAt: Date.now() + life,
  };
};

const store = (login: Login): boolean => keep(name, JSON.stringify(login));

export const hasLogin = (): boolean => provider !== undefined && stored() !== undefined;
export const storeTokens = (response: Tokens): boolean => store(toStored(response));
export const forgetTokens = (): void => forget(name);

const copies =
  provider && joinCopies({ current: stored, replace: store, channel: openChannel(), locks: openLocks() });

/** The access token, renewed in time where the provider has given a refresh token. @throws Error while it cannot be renewed */
export const accessToken = async (): Promise<string> => {
  const login = requireLogin();
  if (copies === undefined || !isDue(login)) return login.accessToken;
  renewing ??= copies
    .inTurn(renew)
    .catch((error: unknown) => {
      if (errorOf(error).name !== 'TimeoutError') throw error;
      return untilItsEnd(requireLogin());
    })
    .finally(() => {
      renewing = undefined;
    });
  return renewing;
};

const requireLogin = (): Login => {
  const login = stored();
  if (login === undefined) throw new Error('You are signed out.');
  return login;
};

const isDue = (login: Login): login is Login & { readonly refreshToken: string } =>
  login.refreshToken !== undefined && Date.now() >= login.renewAt;

/** One at a time, over all copies of this tab: providers treat a refresh token that is used twice as stolen. */
let renewing: Promise<string> | undefined;

const renew = async (): Promise<string> => {
  const login = requireLogin();
  // A copy of this tab may have renewed it.
  if (!isDue(login)) return login.accessToken;
  const result = await refreshTokens(login.refreshToken);
  const tokens = 'tokens' in result ? result.tokens : undefined;
  // Signed out meanwhile, or signed in again.
  if (stored()?.refreshToken !== login.refreshToken) {
    revoke(tokens?.refresh_token);
    return requireLogin().accessToken;
  }
  if ('tokens' in result) {
    store(toStored(result.tokens, login));
    copies?.publish();
    return result.tokens.access_token;
  }
  if (result.error === 'unreachable' || result.error === 'unavailable') return untilItsEnd(login);
  // The API decides whether the access token is still good.
  store({ ...login, refreshToken: undefined });
  return login.accessToken;
};

const untilItsEnd = (login: Login): string => {
  if (Date.now() < login.endsAt) return login.accessToken;
  throw new Error(`Your sign-in could not be renewed, because ${providerName} does not respond. Try again.`);
};

/**
 * Forgets the tokens, and logs out at the provider.
 * @returns whether the browser navigates away for that
 */
export const logOut = (): boolean => {
  revoke(stored()?.refreshToken);
  forgetTokens();
  const endSession = provider?.endpoints?.endSession;
  if (provider === undefined || endSession === undefined) return false;
  const url = new URL(endSession);
  url.searchParams.set('client_id', provider.clientId);
  url.searchParams.set('post_logout_redirect_uri', redirectUri);
  location.assign(url);
  return true;
};
