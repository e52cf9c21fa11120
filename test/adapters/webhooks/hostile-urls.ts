import type { Random } from '../../support/random.ts';
import { boundsOf, ipv4Of, ipv6Of } from './address-numbers.ts';
import { translated } from './dns-server.ts';
import { otherIPv4, otherIPv6, specialIPv4, specialIPv6 } from './special-ranges.ts';

/** An address in one of the ranges, small ranges as often as large ones. */
const addressIn = (random: Random, ranges: readonly (readonly [string, string])[]): bigint => {
  const { first, last } = boundsOf(random.pick(ranges)[0]);
  const size = last - first + 1n;
  return (
    first +
    ((BigInt(random.below(2 ** 32)) * BigInt(random.below(2 ** 32)) + BigInt(random.below(256))) % size)
  );
};

/** What most attacks aim at, and everything else. */
export const privateIPv4 = (random: Random): string =>
  random.chance(0.4)
    ? random.pick([
        '127.0.0.1',
        '169.254.169.254',
        '10.0.0.1',
        '192.168.1.1',
        '172.17.0.1',
        '0.0.0.0',
        '100.100.100.200',
      ])
    : ipv4Of(addressIn(random, [...specialIPv4, ...otherIPv4]));

export const privateIPv6 = (random: Random): string =>
  random.chance(0.5)
    ? random.pick([...translated(privateIPv4(random)), '::1', 'fd00:ec2::254'])
    : ipv6Of(addressIn(random, [...specialIPv6, ...otherIPv6]));

export const publicIPv4 = (random: Random): string => `93.184.${random.below(256)}.${random.below(256)}`;

const digit = (value: number, radix: number): string =>
  radix === 16 ? `0x${value.toString(16)}` : radix === 8 ? `0${value.toString(8)}` : String(value);

/** An IPv4 address in a spelling that the URL standard accepts: one to four parts, each decimal, octal or hexadecimal. */
const spelled = (random: Random, address: string): string => {
  const bytes = address.split('.').map(Number);
  const count = random.between(1, 4);
  const rest = bytes.slice(count - 1).reduce((sum, byte) => sum * 256 + byte, 0);
  return [...bytes.slice(0, count - 1), rest]
    .map((part) => digit(part, random.pick([8, 10, 10, 16])))
    .join('.');
};

const fullWidth = (text: string): string =>
  text.replace(/[0-9a-z]/g, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0));

const percentEncoded = (text: string): string =>
  text.replace(/./gs, (letter) => `%${(letter.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`);

/** What URL parsers undo, and naive checks do not. */
const disguise = (random: Random, host: string): string =>
  random.pick([
    host,
    `${host}.`,
    host.toUpperCase(),
    percentEncoded(host),
    fullWidth(host),
    host.replaceAll('.', '。'),
    host.replace('.', '\t.'),
    host.replace('.', '.\u00ad'),
  ]);

/** Text before or behind a host that another parser could read as the host. */
const decoys: readonly ((host: string, port: string) => string)[] = [
  (host, port) => `https://${host}${port}/`,
  (host, port) => `https://${host}${port}?@example.com/`,
  (host, port) => `https://example.com@${host}${port}/`,
  (host, port) => `https://example.com:443@${host}${port}/`,
  (host, port) => `https:\\\\${host}${port}\\`,
  (host, port) => `https:${host}${port}`,
  (host, port) => `\u0000 HTTPS:///${host}${port}/#example.com`,
  (host, port) => `https://${host}${port}\\@example.com/`,
];

/** A URL that names a private address. */
export const hostileUrl = (random: Random): string => {
  const host = random.chance(0.6)
    ? disguise(random, spelled(random, privateIPv4(random)))
    : `[${random.chance(0.5) ? privateIPv6(random) : privateIPv6(random).toUpperCase()}]`;
  return random.pick(decoys)(host, random.pick(['', ':443', ':1024', ':8443', ':65535']));
};

/** A host name that has not been used before. */
export const hostileName = (random: Random, kind: string, index: number): string => {
  const label = random.pick([
    'hooks',
    '_dmarc',
    'xn--bcher-kva',
    '127-0-0-1',
    'localhost',
    'a'.repeat(63),
    '1e100',
  ]);
  return `${label}.${kind}-${index}.example${random.pick(['', '', '.'])}`;
};
