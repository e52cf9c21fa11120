import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { cpuOf } from '../../lab/cpu.ts';
import { Program } from '../../lab/program.ts';
import { median } from '../../lab/statistics.ts';
import { startFlags } from '../../support/start-flags.ts';
import { sendOnce } from '../load/canned.ts';
import { outputFiles, settingsOf } from './servers.ts';

export interface ColdStartOptions {
  /** Returns the address of the database for each start: the same one, or a new one. */
  readonly database: () => Promise<string>;
  /** A request that is complete as it goes over the wire. */
  readonly request: string;
  /** Expected for it. */
  readonly status: number;
  readonly folder: string;
  readonly starts: number;
}

/**
 * Measures from the start of a process to its first response.
 * @returns the median in milliseconds; one start before the measured ones fills the compile cache
 */
export const coldStart = async ({
  database,
  request,
  status,
  folder,
  starts,
}: ColdStartOptions): Promise<number> => {
  const durationsMs: number[] = [];
  for (let start = 0; start <= starts; start += 1) {
    const { ms } = await startOnce({ database: await database(), request, status, folder });
    if (start > 0) durationsMs.push(ms);
  }
  return median(durationsMs);
};

interface Start extends Pick<ColdStartOptions, 'request' | 'status' | 'folder'> {
  readonly database: string;
  /** The working copy of the server, if it is not this one. */
  readonly from?: string | undefined;
}

/** Starts a process until its first response. @returns how long it took, and the processor time of the process, in milliseconds */
export const startOnce = async ({ database, request, status, folder, from }: Start) => {
  const environment = await settingsOf(database);
  const begun = performance.now();
  const child = new Program('bootstrap/main.mjs', {
    ...{ folder, flags: startFlags, environment, from },
    ...outputFiles(folder, 'cold-start'),
  });
  await firstResponse(Number(environment.PORT), request, status);
  const measured = { ms: performance.now() - begun, cpuMs: 1000 * cpuOf(child.id) };
  await child.stop();
  return measured;
};

const firstResponse = async (port: number, request: string, status: number): Promise<void> => {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const response = (await accepts(port)) && (await sendOnce(port, request).catch(() => undefined));
    if (response && response.status === status) return;
    if (performance.now() > deadline) throw new Error('The server did not respond within 30 seconds.');
    await pause(2);
  }
};

/** Probes the port with a bare connection: whole requests would use processor time from the starting process. */
const accepts = (port: number): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1');
  return new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  }).finally(() => socket.destroy());
};
