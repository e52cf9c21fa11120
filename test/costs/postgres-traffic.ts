import type { Observer } from '../support/network.ts';
import { splitMessages, type Traffic } from './traffic.ts';

const isWrite = /^(INSERT|UPDATE|DELETE|MERGE|COPY)\b/;

/** A byte for the type, then the length without it. https://www.postgresql.org/docs/18/protocol-message-formats.html */
const lengthOf = (bytes: Buffer): number | undefined =>
  bytes.length < 5 ? undefined : 1 + bytes.readInt32BE(1);

/** Counts what PostgreSQL says that it has done, on all observed connections. */
export const postgresTraffic = (traffic: Traffic) => (): Observer => {
  let isInTransaction = false;
  let hasWritten = false;

  const received = splitMessages(lengthOf, (message) => {
    const type = String.fromCharCode(message[0] ?? 0);
    // CommandComplete, and ReadyForQuery, which ends a round trip.
    if (type === 'C') {
      const tag = message.toString('latin1', 5, message.length - 1);
      traffic.statements += 1;
      if (tag === 'BEGIN') isInTransaction = true;
      else if (tag === 'ROLLBACK') isInTransaction = false;
      else if (tag === 'COMMIT') {
        traffic.commits += 1;
        isInTransaction = false;
      } else if (!isInTransaction && isWrite.test(tag)) hasWritten = true;
    } else if (type === 'Z') {
      traffic.exchanges = (traffic.exchanges ?? 0) + 1;
      // What was written outside of a transaction block is committed by itself.
      if (hasWritten) traffic.commits += 1;
      hasWritten = false;
    }
  });

  return {
    received,
    sent: (data) => {
      traffic.bytes = (traffic.bytes ?? 0) + data.length;
    },
  };
};
