import { provider, requireEndpoints, requireProvider } from './provider.ts';

/** A token response (RFC 6749 section 5.1). */
export interface Tokens {
  readonly access_token: string;
  readonly token_type?: string;
  readonly refresh_token?: string | undefined;
  /** Seconds, which some providers send as a text. */
  readonly expires_in?: number | string;
}

/** Tokens; or the error's code, 'unreachable' without a response, and 'unavailable' where the provider has a fault. */
export type TokenResult = { readonly tokens: Tokens } | { readonly error: string };

/** How long the provider may take, in milliseconds. */
const timeoutMs = 15_000;

/**
 * Sends a request to the token endpoint (RFC 6749 sections 4.1.3 and 6).
 */
export const requestToken = async (parameters: Readonly<Record<string, string>>): Promise<TokenResult> => {
  let response: Response;
  try {
    const login = requireProvider();
    response = await fetch(requireEndpoints(login).token, {
      method: 'POST',
      body: new URLSearchParams({ client_id: login.clientId, ...parameters }),
      // No cookie of the provider decides about this, and no other address gets the code.
      ...{ credentials: 'omit', redirect: 'error', cache: 'no-store' },
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch {
    return { error: 'unreachable' };
  }
  if (response.status >= 500 || response.status === 429) return { error: 'unavailable' };
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok && hasText(body, 'access_token')) return { tokens: body };
  return { error: hasText(body, 'error') ? body.error : 'invalid_response' };
};

const hasText = <Name extends string>(body: unknown, name: Name): body is { readonly [N in Name]: string } =>
  typeof body === 'object' && body !== null && typeof Reflect.get(body, name) === 'string';

/** Revokes a refresh token (RFC 7009). The page does not wait for it, nor does it end with the page. */
export const revoke = (refreshToken: string | undefined): void => {
  const revocation = provider?.endpoints?.revocation;
  if (provider === undefined || revocation === undefined || refreshToken === undefined) return;
  const body = new URLSearchParams({ client_id: provider.clientId, token: refreshToken });
  fetch(revocation, { method: 'POST', body, credentials: 'omit', keepalive: true }).catch(() => undefined);
};
