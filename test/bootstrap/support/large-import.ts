import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type Ended, portico } from './portico.ts';

/** Writes a file of so many products of 4 kB each. */
export const writeProducts = (file: string, count: number): void => {
  const line = (sku: number): string =>
    `{"sku":"${sku}","name":"Tea","description":"${'y'.repeat(3_900)}","price":{"amount":1,"currency":"EUR"}}\n`;
  writeFileSync(file, Array.from({ length: count }, (_, index) => line(index)).join(''));
};

/** Imports a file. @returns the peak resident memory of the process in MiB, too, which Linux reports */
export const importMeasured = async (
  file: string,
  databaseUrl: string,
): Promise<Ended & { peak: number }> => {
  const task = portico(['import', 'products', file, '--json'], { settings: { DATABASE_URL: databaseUrl } });
  let peak = 0;
  while (task.code === undefined) {
    peak = Math.max(peak, peakMemoryOf(task.id) ?? 0);
    await pause(20);
  }
  return { code: await task.ended(), output: task.output, errors: task.errors, peak };
};

/** `VmHWM` of Linux. */
const peakMemoryOf = (id: number | undefined): number | undefined => {
  try {
    const status = readFileSync(`/proc/${id}/status`, 'utf8');
    const [, kilobytes = '0'] = /VmHWM:\s+(\d+) kB/.exec(status) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
};
