import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { startFlags } from '../support/start-flags.ts';
import { answerTo } from './canned.ts';
import { Child } from './child.ts';
import { settingsOf } from './servers.ts';
import { median } from './statistics.ts';

const times = 7;

/**
 * How long it takes from the start of the process to the first answer of the API, over a database that has its schema, in
 * milliseconds: the median of several starts behind a first, which keeps what it has compiled for those after it.
 */
export const coldStart = async (database: string, request: string, folder: string): Promise<number> => {
  const took: number[] = [];
  for (let time = 0; time <= times; time += 1) {
    const environment = await settingsOf(database);
    const begun = performance.now();
    const child = new Child('bootstrap/main.mjs', {
      folder,
      name: 'cold-start',
      flags: startFlags,
      environment,
    });
    await firstAnswer(Number(environment.PORT), request);
    if (time > 0) took.push(performance.now() - begun);
    await child.end();
  }
  return median(took);
};

const firstAnswer = async (port: number, request: string): Promise<void> => {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const answer = (await isThere(port)) && (await answerTo(port, request).catch(() => undefined));
    if (answer && answer.status === 200) return;
    if (performance.now() > deadline) throw new Error('It did not answer within half a minute.');
    await pause(2);
  }
};

/** Whether somebody listens. To ask whole requests in vain would take a third of a core from those who are starting. */
const isThere = (port: number): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1');
  return new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  }).finally(() => socket.destroy());
};
