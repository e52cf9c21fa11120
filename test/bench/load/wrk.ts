import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cpuOfTheEnded } from '../../lab/cpu.ts';
import type { Generator, LoadOptions, LoadResult } from './generator.ts';

const execute = promisify(execFile);
const script = fileURLToPath(new URL('wrk.lua', import.meta.url));

/** `wrk --version` exits with 1, so only ENOENT means that it is missing. */
const isThere = (): Promise<boolean> =>
  execute('wrk', ['--version']).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  );

/** @returns undefined if wrk is not installed */
export const findWrk = async (): Promise<Generator | undefined> =>
  (await isThere()) ? { name: 'wrk', run } : undefined;

const run = async ({ port, requests, from, connections, seconds }: LoadOptions): Promise<LoadResult> => {
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

/** @param output its last line is the JSON that wrk.lua prints @param cpu in seconds */
export const outcomeOf = (output: string, cpu: number): LoadResult => {
  const printed = JSON.parse(output.trimEnd().split('\n').at(-1) ?? '') as {
    readonly [Figure in 'requests' | 'microseconds' | 'refused' | 'failed' | 'p50' | 'p99']: number;
  };
  const seconds = printed.microseconds / 1e6;
  return {
    requests: printed.requests,
    seconds,
    errorResponses: printed.refused,
    failed: printed.failed,
    p50: printed.p50 / 1000,
    p99: printed.p99 / 1000,
    cpu,
  };
};
