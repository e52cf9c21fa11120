import { sleep } from '#adapters/support/time.ts';
import { Connection } from './connection.ts';
import type { Tally } from './tally.ts';

interface Load {
  readonly port: number;
  /** The bytes of the next request, by its number from 0. */
  readonly next: (number: number) => Buffer;
  readonly tally: Tally;
  /** Called for each response, for a test that reads it. */
  readonly onResponse?: (status: number, bytes: Buffer, number: number) => void;
}

interface ClosedLoadOptions extends Load {
  readonly connections: number;
  /** It ends with so many requests, or after so long, whichever comes first. */
  readonly requests?: number;
  readonly milliseconds?: number;
}

/** Closed-loop load: each connection sends its next request when it has the response. @returns the number of requests */
export const closedLoad = async ({
  port,
  next,
  tally,
  onResponse,
  connections,
  requests = Number.POSITIVE_INFINITY,
  milliseconds = Number.POSITIVE_INFINITY,
}: ClosedLoadOptions): Promise<number> => {
  const end = performance.now() + milliseconds;
  let sent = 0;
  const client = async (): Promise<void> => {
    let connection = new Connection(port);
    while (sent < requests && performance.now() < end) {
      const number = sent;
      sent += 1;
      if (!connection.isOpen) connection = new Connection(port);
      await ask(connection, number, performance.now());
    }
    connection.destroy();
  };
  const ask = (connection: Connection, number: number, from: number): Promise<void> =>
    new Promise((resolve) => {
      connection.send(next(number), (response) => {
        record(tally, response, from);
        if (!(response instanceof Error)) onResponse?.(response.status, response.bytes, number);
        resolve();
      });
    });
  await Promise.all(Array.from({ length: connections }, client));
  return sent;
};

interface Open extends Load {
  /** Requests per second, independent of responses. */
  readonly rate: number;
  readonly milliseconds: number;
  /** Connections opened before the first request, as a proxy keeps them. */
  readonly idleConnections?: number;
  /** The maximum of connections. A request that would need another is tallied as failed. */
  readonly connections: number;
}

/**
 * Open-loop load: requests are sent at a rate, whether or not earlier ones have their responses, as many clients send them. Each
 * is timed from when it was due, which avoids coordinated omission. @returns the number of requests that were due
 */
export const openLoad = async ({
  port,
  next,
  tally,
  onResponse,
  rate,
  milliseconds,
  idleConnections = 0,
  connections,
}: Open): Promise<number> => {
  const idle = await Promise.all(Array.from({ length: idleConnections }, () => Connection.open(port)));
  const all = new Set(idle);
  let open = idleConnections;
  let inFlight = 0;
  let due = 0;

  const ask = (number: number, from: number): void => {
    // Round robin: the server would close connections that stay idle.
    let connection = idle.shift();
    while (connection !== undefined && !connection.isOpen) {
      open -= 1;
      connection = idle.shift();
    }
    if (connection === undefined) {
      if (open >= connections) {
        tally.recordFailure(new Error('No connection left.'));
        return;
      }
      open += 1;
      connection = new Connection(port);
      all.add(connection);
    }
    const used = connection;
    inFlight += 1;
    used.send(next(number), (response) => {
      inFlight -= 1;
      record(tally, response, from);
      if (response instanceof Error) {
        open -= 1;
        all.delete(used);
      } else {
        idle.push(used);
        onResponse?.(response.status, response.bytes, number);
      }
    });
  };

  const begun = performance.now();
  for (;;) {
    const passed = Math.min(performance.now() - begun, milliseconds);
    for (; due < (passed * rate) / 1000; due += 1) ask(due, begun + (due * 1000) / rate);
    if (passed >= milliseconds) break;
    await sleep(1);
  }
  const deadline = performance.now() + 15_000;
  while (inFlight > 0 && performance.now() < deadline) await sleep(10);
  for (let left = inFlight; left > 0; left -= 1) tally.recordFailure(new Error('No response.'));
  for (const connection of all) connection.destroy();
  return due;
};

const record = (tally: Tally, response: { readonly status: number } | Error, from: number): void => {
  if (response instanceof Error) tally.recordFailure(response);
  else tally.recordResponse(response.status, performance.now() - from);
};
