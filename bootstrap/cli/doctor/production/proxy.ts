import type { Config } from '../../../config/config.ts';
import { isLoopback } from '../../../config/env-parser.ts';
import { type Finding, findingsFor } from '../finding.ts';

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
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === 'http:' && !isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'))) {
    return fail(
      `${publicUrl} is not encrypted: keys can be read on the way`,
      'Set PUBLIC_URL to an address with https.',
    );
  }
  try {
    const response = await fetch(`${publicUrl}/v1/products`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(probeTimeoutMs),
    });
    return judge(publicUrl, response.status, await response.text());
  } catch (error) {
    const remedy = 'Start Portico and the proxy first. Check the name, the firewall and the certificate.';
    return warn(`${publicUrl} does not answer: ${reasonOf(error)}`, remedy);
  }
};

const judge = (publicUrl: string, status: number, body: string): Finding => {
  const code = errorCodeIn(body);
  if (code === 'HTTPS_REQUIRED') {
    return address.fail(
      `the proxy at ${publicUrl} does not say that the client used HTTPS, so every request is 403`,
      'Let the proxy set X-Forwarded-Proto: docs/operations.md, "TLS and proxies".',
    );
  }
  if (code !== undefined) return address.ok(`Portico answers at ${publicUrl}`);
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
  return cause instanceof Error ? cause.message : String(cause);
};

/** Whether the proxy in front waits for as long as Portico may take. @param timeoutMs undefined when it is not known */
export const checkProxyTimeout = (
  { behindProxy, times }: Pick<Config, 'behindProxy' | 'times'>,
  timeoutMs: number | undefined,
): readonly Finding[] => {
  if (!behindProxy && timeoutMs === undefined) return [];
  const longest = times.request + times.payment;
  const needs = `${seconds(longest)} (REQUEST_TIMEOUT_MS and PAYMENT_TIMEOUT_MS)`;
  if (timeoutMs === undefined) {
    return [
      proxy.warn(
        `how long the proxy waits for a response is not known here; Portico may take ${needs}`,
        'Pass its limit: portico doctor --production --proxy-timeout 30s.',
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
