import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cpuOfTheEnded } from './cpu.ts';
import type { Generator, Load, Outcome } from './generator.ts';

const execute = promisify(execFile);
const script = fileURLToPath(new URL('wrk.lua', import.meta.url));

/** Whether it is there. Asked for its version it says how it is used, and ends with 1. */
const isThere = (): Promise<boolean> =>
  execute('wrk', ['--version']).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  );

/** @returns undefined where it is not installed */
export const findWrk = async (): Promise<Generator | undefined> =>
  (await isThere()) ? { name: 'wrk', run } : undefined;

const run = async ({ port, requests, from, connections, seconds }: Load): Promise<Outcome> => {
  const folder = await mkdtemp(join(tmpdir(), 'portico-wrk-'));
  const file = join(folder, 'requests');
  await writeFile(file, requests.join('\0'));
  const { PATH } = process.env;
  const before = cpuOfTheEnded();
  try {
    const words = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', script];
    const { stdout } = await execute('wrk', [...words, `http://127.0.0.1:${port}`], {
      env: { PATH, REQUESTS: file, FROM: `${from}`, SEED: `${randomInt(2 ** 31)}` },
      timeout: 1000 * seconds + 20_000,
    });
    return outcomeOf(stdout, cpuOfTheEnded() - before);
  } finally {
    await rm(folder, { recursive: true });
  }
};

/** @param output of which the last line is what the script says @param cpu in seconds */
export const outcomeOf = (output: string, cpu: number): Outcome => {
  const said = JSON.parse(output.trimEnd().split('\n').at(-1) ?? '') as {
    readonly [Figure in 'requests' | 'microseconds' | 'refused' | 'failed' | 'p50' | 'p99']: number;
  };
  const seconds = said.microseconds / 1e6;
  return {
    requests: said.requests,
    seconds,
    refused: said.refused,
    failed: said.failed,
    p50: said.p50 / 1000,
    p99: said.p99 / 1000,
    cpu,
  };
};
