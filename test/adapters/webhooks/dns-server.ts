import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIP } from 'node:net';
import { ipv6Of, numberOf } from './address-numbers.ts';

const [typeA, typeAaaa] = [1, 28];

/**
 * Returns which addresses a name has, at each question anew; undefined for a name that does not exist, null for no answer.
 * @param family 4 or 6, and 0 for a question about something else
 * @param id the same when a resolver that has waited too long sends its question again (RFC 1035 section 4.1.1)
 */
type Answer = (name: string, family: number, id: number) => readonly string[] | undefined | null;

export interface DnsServer {
  /** As Node's resolver accepts it. */
  readonly server: string;
  /** The names that were asked for, in small letters, once for each type of address. */
  readonly asked: string[];
  close(): Promise<void>;
}

const bytesOf = (address: string): Buffer => {
  const size = isIP(address) === 4 ? 4 : 16;
  const hex = numberOf(address)
    .toString(16)
    .padStart(size * 2, '0');
  return Buffer.from(hex, 'hex');
};

/** A response of RFC 1035 section 4.1 to a query with one question, with a time to live of 0. */
const respond = (
  query: Buffer,
  end: number,
  isKnown: boolean,
  type: number,
  addresses: readonly string[],
): Buffer => {
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2);
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt32BE(0, 8);
  const records = addresses.map((address) => {
    const data = bytesOf(address);
    const record = Buffer.alloc(12);
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(type, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([header, query.subarray(12, end), ...records]);
};

const readName = (query: Buffer): { readonly name: string; readonly end: number } => {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
};

/** A name server on 127.0.0.1. */
export const startDnsServer = async (answer: Answer): Promise<DnsServer> => {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, { address, port }) => {
    const { name, end } = readName(query);
    const type = query.readUInt16BE(end);
    asked.push(name);
    const family = type === typeA ? 4 : type === typeAaaa ? 6 : 0;
    const addresses = answer(name, family, query.readUInt16BE(0));
    if (addresses === null) return;
    const fitting = (addresses ?? []).filter((one) => isIP(one) === family);
    socket.send(respond(query, end + 4, addresses !== undefined, type, fitting), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    server: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
};

/** An IPv4 address in the forms of IPv6 that carry one. */
export const translated = (address: string): readonly string[] => {
  const value = numberOf(address);
  return [
    ipv6Of((0xffffn << 32n) | value),
    ipv6Of((0x64ff9bn << 96n) | value),
    ipv6Of((0x2002n << 112n) | (value << 80n)),
    ipv6Of((0x20010000n << 96n) | (value ^ 0xffffffffn)),
    ipv6Of((0x2a00n << 112n) | (0x5efen << 32n) | value),
  ];
};
