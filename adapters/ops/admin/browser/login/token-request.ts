// @ts-nocheck
import { provider } from './provider.ts';

/** How long the provider may take, in milliseconds. */
const timeoutMs = 15_000;

/**
 * Sends a request to the token endpoint (RFC 6749 sections 4.1.3 and 6).
 * @returns tokens; or the error's code, 'unreachable' without a response, and 'unavailable' where the provider has a fault
 */
export const requestToken = async (parameters) => {
  let response: unknown;
  try {
    response = await fetch(provider.endpoints.token, {
      method: 'POST',
      body: new URLSearchParams({ client_id: provider.clientId, ...parameters }),
      // No cookie of the provider decides about this, and no other address gets the code.
      ...{ credentials: 'omit', redirect: 'error', cache: 'no-store' },
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch {
    return { error: 'unreachable' };
  }
  if (response.status >= 500 || response.status === 429) return { error: 'unavailable' };
  const body = await response.json().catch(() => ({}));
  if (response.ok && typeof body?.access_token === 'string') return { tokens: body };
  return { error: typeof body?.error === 'string' ? body.error : 'invalid_response' };
};

/** Revokes a refresh token (RFC 7009). The page does not wait for it, nor does it end with the page. */
export const revoke = (refreshToken) => {
  const { revocation } = provider.endpoints ?? {};
  if (revocation === undefined || refreshToken === undefined) return;
  const body = new URLSearchParams({ client_id: provider.clientId, token: refreshToken });
  fetch(revocation, { method: 'POST', body, credentials: 'omit', keepalive: true }).catch(() => undefined);
};
