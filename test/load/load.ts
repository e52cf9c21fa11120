import { setTimeout as pause } from 'node:timers/promises';
import { Connection } from './connection.ts';
import type { Tally } from './tally.ts';

interface Load {
  readonly port: number;
  /** The bytes of the next request, by its number from 0. */
  readonly next: (number: number) => Buffer;
  readonly tally: Tally;
  /** Told of every answer, where somebody wants to look into it. */
  readonly heard?: (status: number, bytes: Buffer, number: number) => void;
}

interface Closed extends Load {
  readonly connections: number;
  /** Whether another request is to be sent; asked before each. */
  readonly goesOn: (sent: number) => boolean;
}

/** As many clients as connections, each of whom asks again as soon as it has been answered. @returns how many asked */
export const closedLoad = async ({
  port,
  next,
  tally,
  heard,
  connections,
  goesOn,
}: Closed): Promise<number> => {
  let sent = 0;
  const client = async (): Promise<void> => {
    let connection = new Connection(port);
    while (goesOn(sent)) {
      const number = sent;
      sent += 1;
      if (!connection.isOpen) connection = new Connection(port);
      await ask(connection, number, performance.now());
    }
    connection.destroy();
  };
  const ask = (connection: Connection, number: number, from: number): Promise<void> =>
    new Promise((resolve) => {
      connection.ask(next(number), (answer) => {
        note(tally, answer, from);
        if (!(answer instanceof Error)) heard?.(answer.status, answer.bytes, number);
        resolve();
      });
    });
  await Promise.all(Array.from({ length: connections }, client));
  return sent;
};

interface Open extends Load {
  /** Requests a second, whatever becomes of those before. */
  readonly rate: number;
  readonly milliseconds: number;
  /** How many connections there are from the start, as a proxy keeps them. */
  readonly kept?: number;
  /** How many connections at the most; what would need more is tallied as failed, for it could not even be sent. */
  readonly connections: number;
}

/**
 * Requests that come when they come, as those of many clients do, whether or not others have been answered. Each is timed
 * from when it was due. @returns how many were due
 */
export const openLoad = async ({
  port,
  next,
  tally,
  heard,
  rate,
  milliseconds,
  kept = 0,
  connections,
}: Open): Promise<number> => {
  const idle = await Promise.all(Array.from({ length: kept }, () => Connection.to(port)));
  let open = kept;
  let underWay = 0;
  let due = 0;

  const ask = (number: number, from: number): void => {
    // In turn: one that is never used is closed by the server after a while, and all of those at once.
    let connection = idle.shift();
    while (connection !== undefined && !connection.isOpen) {
      open -= 1;
      connection = idle.shift();
    }
    if (connection === undefined) {
      if (open >= connections) {
        tally.failed(new Error('No connection was left.'));
        return;
      }
      open += 1;
      connection = new Connection(port);
    }
    const used = connection;
    underWay += 1;
    used.ask(next(number), (answer) => {
      underWay -= 1;
      note(tally, answer, from);
      if (answer instanceof Error) open -= 1;
      else {
        idle.push(used);
        heard?.(answer.status, answer.bytes, number);
      }
    });
  };

  const begun = performance.now();
  for (;;) {
    const passed = Math.min(performance.now() - begun, milliseconds);
    for (; due < (passed * rate) / 1000; due += 1) ask(due, begun + (due * 1000) / rate);
    if (passed >= milliseconds) break;
    await pause(1);
  }
  const deadline = performance.now() + 15_000;
  while (underWay > 0 && performance.now() < deadline) await pause(10);
  for (let left = underWay; left > 0; left -= 1) tally.failed(new Error('Never answered.'));
  for (const connection of idle) connection.destroy();
  return due;
};

const note = (tally: Tally, answer: { readonly status: number } | Error, from: number): void => {
  if (answer instanceof Error) tally.failed(answer);
  else tally.answered(answer.status, performance.now() - from);
};
