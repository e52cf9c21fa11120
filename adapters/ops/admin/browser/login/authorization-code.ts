import { type Callback, rememberSignIn } from './callback.ts';
import { type Provider, providerName, redirectUri, requireEndpoints, requireProvider } from './provider.ts';
import { callbackProblem, exchangeProblem, nothingStored, tokenProblem } from './token-errors.ts';
import { requestToken, type TokenResult, type Tokens } from './token-request.ts';

const encode = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** 256 random bits. */
const random = (): string => encode(crypto.getRandomValues(new Uint8Array(32)));

const challengeOf = async (verifier: string): Promise<string> =>
  encode(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));

/** What names the API to providers: `audience` at some, `resource` (RFC 8707) at others. Each ignores what it does not know. */
const target = ({ audience }: Provider): Readonly<Record<string, string>> => ({
  audience,
  ...(/^https?:/.test(audience) && { resource: audience }),
});

/**
 * Goes to the identity provider: authorization code with PKCE (RFC 7636).
 * @param asksAgain whether the person must be able to choose another account
 * @throws Error with a message for people, where the page would not know what it has asked for when they come back
 */
export const beginSignIn = async ({ asksAgain = false } = {}): Promise<void> => {
  const provider = requireProvider();
  const [verifier, state] = [random(), random()];
  const url = new URL(requireEndpoints(provider).authorization);
  const parameters = {
    response_type: 'code',
    client_id: provider.clientId,
    redirect_uri: redirectUri,
    scope: provider.scope,
    state,
    code_challenge: await challengeOf(verifier),
    code_challenge_method: 'S256',
    ...target(provider),
    ...(asksAgain && { prompt: 'login' }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const isRemembered = rememberSignIn({ state, verifier, place: location.hash });
  if (!isRemembered) throw new Error(nothingStored(providerName));
  location.assign(url);
};

/**
 * Exchanges the code for tokens.
 * @returns the token response @throws Error with a message for people
 */
export const finishSignIn = async (callback: Callback): Promise<Tokens> => {
  const provider = requireProvider();
  const { code, verifier } = callback;
  const problem = callbackProblem(callback, provider, providerName);
  if (problem !== undefined || code === undefined || verifier === undefined) throw new Error(problem);
  const result = await requestToken({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...target(provider),
  });
  if ('error' in result) throw new Error(exchangeProblem(result.error, providerName, location.origin));
  const useless = tokenProblem(result.tokens, provider, providerName);
  if (useless !== undefined) throw new Error(useless);
  return result.tokens;
};

/** @returns the response to a refresh token */
export const refreshTokens = (refreshToken: string): Promise<TokenResult> =>
  requestToken({ grant_type: 'refresh_token', refresh_token: refreshToken, ...target(requireProvider()) });
