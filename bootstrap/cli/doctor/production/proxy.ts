import { maxWaitSeconds } from '#adapters/http/waiting/prefer.ts';
import { type Finding, findingsFor } from '#application/ports/inspection.ts';
import type { Config } from '../../../config/config.ts';
import { hostOf, isLoopback } from '../../../config/env-parser.ts';

const address = findingsFor('public url');
const proxy = findingsFor('proxy');

/** Bounds the request to the public address. */
const probeTimeoutMs = 5_000;

/** Whether clients who use the public address reach Portico, as they should. */
export const checkPublicUrl = async ({ publicUrl }: Pick<Config, 'publicUrl'>): Promise<Finding> => {
  const { warn, fail } = address;
  if (publicUrl === undefined) {
    return warn(
      'PUBLIC_URL is not set, so the address of the API is unknown',
      'Set it to the address that clients use, such as https://api.shop.example. The doctor then tries it.',
    );
  }
  const url = new URL(publicUrl);
  if (url.protocol === 'http:' && !isLoopback(hostOf(url))) {
    return fail(
      `${publicUrl} is not encrypted: keys can be read on the way`,
      'Set PUBLIC_URL to an address with https.',
    );
  }
  try {
    const response = await probe(publicUrl, 'GET');
    const body = await response.text();
    // Without a key a GET is 401 at every path. OPTIONS needs none, and knows the paths.
    const isAtPath = errorCodeIn(await (await probe(publicUrl, 'OPTIONS')).text()) !== 'NOT_FOUND';
    return isAtPath ? judge(publicUrl, response, body) : wrongPath(publicUrl);
  } catch (error) {
    const remedy = 'Start Portico and the proxy first. Check the name, the firewall and the certificate.';
    return warn(`${publicUrl} does not answer: ${reasonOf(error)}`, remedy);
  }
};

const probe = (publicUrl: string, method: string): Promise<Response> =>
  fetch(`${publicUrl}/v1/products`, {
    method,
    redirect: 'manual',
    signal: AbortSignal.timeout(probeTimeoutMs),
  });

const wrongPath = (publicUrl: string): Finding =>
  address.fail(
    `Portico answers at ${publicUrl}, but has no /v1/products below it`,
    'Remove the path from PUBLIC_URL, or let the proxy remove it from requests.',
  );

const judge = (publicUrl: string, { status, headers }: Response, body: string): Finding => {
  const code = errorCodeIn(body);
  if (code === 'HTTPS_REQUIRED') {
    return address.fail(
      `the proxy at ${publicUrl} does not say that the client used HTTPS, so every request is 403`,
      'Let the proxy set X-Forwarded-Proto: docs/operations.md, "TLS and proxies".',
    );
  }
  if (code !== undefined) return address.ok(`Portico answers at ${publicUrl}`);
  if (status === 502 || status === 503 || status === 504) {
    return address.fail(
      `the proxy at ${publicUrl} does not reach Portico: status ${status}`,
      'Start Portico, and check the address and port to which the proxy sends requests.',
    );
  }
  if (status >= 300 && status < 400) {
    return address.fail(
      `${publicUrl} redirects requests to ${headers.get('Location') ?? 'another address'}`,
      'Set PUBLIC_URL to the address that needs no redirect. Clients do not follow one with their key.',
    );
  }
  return address.fail(
    `something else than Portico answers at ${publicUrl}/v1/products, with status ${status}`,
    'Route /v1 to Portico, and check that PUBLIC_URL has no other path than its clients use.',
  );
};

/** The code in Portico's envelope of errors; undefined for any other text. */
const errorCodeIn = (body: string): string | undefined =>
  /^\{"error":\{"code":"([A-Z_]+)".*"request_id":"/.exec(body)?.[1];

const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  // The message of OpenSSL's errors has addresses in memory and file names of its source.
  return 'reason' in cause && typeof cause.reason === 'string' ? cause.reason : cause.message;
};

/** Whether the proxy in front waits for as long as Portico may take. @param timeoutMs undefined when it is not known */
export const checkProxyTimeout = (
  { behindProxy, times, maxWaiting }: Pick<Config, 'behindProxy' | 'times' | 'maxWaiting'>,
  timeoutMs: number | undefined,
): readonly Finding[] => {
  if (!behindProxy && timeoutMs === undefined) return [];
  const wait = maxWaiting === 0 ? 0 : maxWaitSeconds * 1_000;
  const longest = times.request + times.payment + wait;
  const sum =
    wait === 0
      ? 'REQUEST_TIMEOUT_MS and PAYMENT_TIMEOUT_MS'
      : 'REQUEST_TIMEOUT_MS, PAYMENT_TIMEOUT_MS and a wait';
  const needs = `${seconds(longest)} (${sum})`;
  if (timeoutMs === undefined) {
    return [
      proxy.warn(
        `how long the proxy waits for a response is not known here; Portico may take ${needs}`,
        'Pass its limit: portico doctor --production --proxy-timeout 60s.',
      ),
    ];
  }
  if (timeoutMs > longest)
    return [proxy.ok(`the proxy waits ${seconds(timeoutMs)}; Portico may take ${needs}`)];
  return [
    proxy.fail(
      `the proxy gives up after ${seconds(timeoutMs)}, and Portico may take ${needs}: clients would get an error for payments that succeed`,
      `Raise the limit of the proxy above ${seconds(longest)}: proxy_read_timeout of nginx, timeout server of HAProxy, response_header_timeout of Caddy.`,
    ),
  ];
};

const seconds = (milliseconds: number): string => `${milliseconds / 1000} s`;
