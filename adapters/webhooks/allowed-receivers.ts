import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Receivers that the operator allows though they are not public, or speak plain HTTP. */
export interface AllowedReceiver {
  /** A host name, a suffix such as `.internal` of longer names, or a range of addresses. */
  readonly host: string | readonly [ipaddr.IPv4 | ipaddr.IPv6, number];
  /** Undefined for every port. */
  readonly port: number | undefined;
}

/** The form of an entry, for errors. */
export const allowedReceiversForm =
  'hosts with ports, separated by commas, such as erp.internal:8080, *.internal:*, 10.0.0.5:8080, 10.0.0.0/8:* or [fd00::/8]:443';

const maxEntries = 100;

/** Parses a list of receivers that are allowed. @returns undefined when it is not one */
export const parseAllowedReceivers = (text: string): readonly AllowedReceiver[] | undefined => {
  const entries = text.split(',').map((entry) => parseEntry(entry.trim()));
  const valid = entries.filter((entry) => entry !== undefined);
  return valid.length === entries.length && valid.length <= maxEntries ? valid : undefined;
};

const parseEntry = (text: string): AllowedReceiver | undefined => {
  const [, host = '', port = ''] = /^(.+):(\*|[1-9]\d{0,4})$/.exec(text) ?? [];
  const parsed = parseHost(host);
  if (parsed === undefined || Number(port) > 65_535) return undefined;
  return { host: parsed, port: port === '*' ? undefined : Number(port) };
};

const parseHost = (text: string): AllowedReceiver['host'] | undefined => {
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  // Without brackets the last part of an IPv6 address could be its port.
  if (text === bare && isIP(text) === 6) return undefined;
  if (bare.includes('/')) return parseRange(bare);
  if (isIP(bare) !== 0) return parseRange(`${bare}/${isIP(bare) === 4 ? 32 : 128}`);
  return bare.startsWith('*.') ? prefixed(hostOf(bare.slice(2))) : hostOf(bare);
};

const parseRange = (text: string): AllowedReceiver['host'] | undefined => {
  const [address = '', length = ''] = text.split('/', 2);
  if (isIP(address) === 0 || address.includes('%') || !/^\d{1,3}$/.test(length)) return undefined;
  return ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : undefined;
};

const prefixed = (host: string | undefined): string | undefined => (host === undefined ? host : `.${host}`);

/** The name as a parser of URLs writes it, which also replaces non-ASCII letters. Odd spellings of addresses are no names. */
const hostOf = (text: string): string | undefined => {
  if (!/^[^\s/?#@:[\]*\\%]+$/.test(text)) return undefined;
  const host = URL.parse(`http://${text}/`)?.hostname ?? '';
  return host === '' || isIP(host) !== 0 ? undefined : withoutDot(host);
};

/** A dot at the end of a name marks it as complete (RFC 1034 section 3.1), and the name is the same. */
export const withoutDot = (host: string): string => host.replace(/\.$/, '');

/** Whether a host is allowed by its name. @param host as a parser of URLs writes it */
export const isAllowedName = (allowed: readonly AllowedReceiver[], host: string, port: number): boolean =>
  allowed.some((entry) => {
    if (typeof entry.host !== 'string' || !isAt(entry, port)) return false;
    const name = withoutDot(host);
    return entry.host.startsWith('.') ? name.endsWith(entry.host) : name === entry.host;
  });

/** Whether an address is allowed. IPv6 forms of an IPv4 address are addresses of their own here. */
export const isAllowedAddress = (
  allowed: readonly AllowedReceiver[],
  address: string,
  port: number,
): boolean => {
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  return allowed.some(
    (entry) =>
      typeof entry.host !== 'string' &&
      isAt(entry, port) &&
      entry.host[0].kind() === parsed.kind() &&
      parsed.match(entry.host[0], entry.host[1]),
  );
};

/** Whether any address is allowed at that port, so that a name may resolve to it. */
export const allowsAddressesAt = (allowed: readonly AllowedReceiver[], port: number): boolean =>
  allowed.some((entry) => typeof entry.host !== 'string' && isAt(entry, port));

const isAt = (entry: AllowedReceiver, port: number): boolean =>
  entry.port === undefined || entry.port === port;
