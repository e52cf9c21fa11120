import type { Observer } from '../support/network.ts';
import { splitMessages, type Traffic } from './traffic.ts';

/** https://mariadb.com/kb/en/0-packet/: three bytes for the length, one for the number within the exchange. */
const headerLength = 4;
const lengthOf = (bytes: Buffer): number | undefined =>
  bytes.length < headerLength ? undefined : headerLength + bytes.readUIntLE(0, 3);

const command = { query: 0x03, prepare: 0x16, execute: 0x17, close: 0x19 };
const isWrite = /^(insert|update|delete|replace)\b/;

/** Counts the commands that MariaDB gets, on all observed connections. */
export const mariadbTraffic = (traffic: Traffic) => (): Observer => {
  /** Texts of prepared statements, by the number that the server gives them. */
  const prepared = new Map<number, string>();
  let preparing: string | undefined;
  let isInTransaction = false;

  const count = (text: string): void => {
    traffic.statements += 1;
    if (/^(start transaction|begin)/.test(text)) isInTransaction = true;
    else if (text === 'commit' || (isWrite.test(text) && !isInTransaction)) traffic.commits += 1;
    if (/^(commit|rollback)$/.test(text)) isInTransaction = false;
  };

  const sent = splitMessages(lengthOf, (message) => {
    // What has another number belongs to a handshake.
    if (message[3] !== 0) return;
    const type = message[headerLength];
    const text = message
      .toString('utf8', headerLength + 1)
      .trim()
      .toLowerCase();
    if (type !== command.close) traffic.exchanges = (traffic.exchanges ?? 0) + 1;
    if (type === command.query) count(text);
    else if (type === command.prepare) preparing = text;
    else if (type === command.execute) count(prepared.get(message.readUInt32LE(headerLength + 1)) ?? '');
  });

  const received = splitMessages(lengthOf, (message) => {
    if (preparing === undefined) return;
    if (message[headerLength] === 0) prepared.set(message.readUInt32LE(headerLength + 1), preparing);
    preparing = undefined;
  });

  return {
    received,
    sent: (data) => {
      traffic.bytes = (traffic.bytes ?? 0) + data.length;
      sent(data);
    },
  };
};
