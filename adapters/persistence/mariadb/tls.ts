import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { fragmentProblem, shownName } from '../url.ts';

/** What the driver makes of the parameters of the URL. */
interface TlsOptions {
  /** PEM certificates that are trusted in place of Node's. */
  readonly ca?: string;
  /** Without it the driver accepts a trusted certificate of any other host. */
  readonly verifyIdentity: true;
}

/**
 * How a connection is encrypted, from the parameters `ssl=true` and `sslrootcert=<PEM file>`.
 * @returns undefined when the URL does not ask for TLS. @throws the system's error when the file cannot be read
 */
export const tlsOptions = ({ searchParams }: URL): TlsOptions | undefined => {
  if (!searchParams.has('ssl')) return undefined;
  const file = searchParams.get('sslrootcert');
  return { verifyIdentity: true, ...(file === null ? {} : { ca: readFileSync(file, 'utf8') }) };
};

/** Of other tools: sizes and timeouts of their pools. Portico has its own. */
const harmless: ReadonlySet<string> = new Set([
  ...['connection_limit', 'pool_timeout', 'connect_timeout', 'socket_timeout', 'serverVersion'],
  ...['connectionLimit', 'connectTimeout', 'acquireTimeout', 'pool_size', 'max_overflow', 'pool_recycle'],
]);

/** What is wrong with the parameters of a URL, behind the name of the setting; undefined when they can be used. */
export const parameterProblem = (url: URL): string | undefined => {
  const { searchParams } = url;
  // A parameter without effect would be mistaken for one with it.
  for (const [name, value] of searchParams) {
    if (name === 'ssl' || name === 'sslrootcert' || harmless.has(name)) continue;
    if (name === 'charset' && /^utf8(mb4)?$/i.test(value)) continue;
    const advice = /ssl|tls/i.test(name) ? ' Write ssl=true in its place for an encrypted connection.' : '';
    return `must not have the parameter ${shownName(name)}: MariaDB takes ssl=true and sslrootcert only.${advice}`;
  }
  if (searchParams.getAll('ssl').some((value) => value !== 'true')) return 'must have ssl=true or no ssl.';
  const fragment = fragmentProblem(url);
  if (fragment !== undefined) return fragment;
  if (!searchParams.has('ssl'))
    return searchParams.has('sslrootcert') ? 'must have ssl=true where it has sslrootcert.' : undefined;
  return isIP(hostOf(url)) === 0
    ? undefined
    : 'must name the host as its certificate does for ssl=true: the driver verifies names, not addresses.';
};

/** The host of a URL, without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');
