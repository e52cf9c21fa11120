import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import type { Arguments } from '../arguments.ts';
import type { Figure } from '../figures.ts';
import type { Kind } from '../servers/databases.ts';
import { chart } from './chart.ts';
import { judge, type Result } from './judge.ts';

export interface Report {
  readonly results: ReadonlyMap<Kind, readonly Result[]>;
  readonly figures: ReadonlyMap<Kind | 'installation', readonly Figure[]>;
  readonly generator: string;
}

const machine = () => ({
  cores: cpus().length,
  processor: cpus()[0]?.model.trim(),
  memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
  system: `${type()} ${release()}`,
  node: process.version,
});

/** Writes results.json and results.svg. */
export const save = async (folder: string, report: Report, given: Arguments): Promise<void> => {
  const { results, figures, generator } = report;
  const { products, connections, rounds, seconds } = given;
  const all = {
    measuredAt: new Date().toISOString(),
    machine: machine(),
    how: { generator, products, connections, rounds, seconds },
    scenarios: Object.fromEntries([...results].map(([kind, list]) => [kind, list.map(written(kind))])),
    figures: Object.fromEntries(figures),
  };
  const caption = 'Requests of Portico for each one of the baseline; a line is the floor';
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'results.json'), `${JSON.stringify(all, rounded, 2)}\n`);
  await writeFile(join(folder, 'results.svg'), chart(results, caption));
};

const written =
  (kind: Kind) =>
  ({ scenario, compared }: Result) => {
    const { floor, isRatioKept, p99Ratio } = judge(scenario, kind, compared);
    const { id, name } = scenario;
    const cpu = compared.baseline.cpu / compared.portico.cpu;
    return {
      id,
      name,
      floor,
      isRatioKept,
      ratio: compared.ratio,
      p99Ratio,
      cpuRatio: cpu,
      portico: compared.portico,
      baseline: compared.baseline,
    };
  };

const rounded = (_: string, value: unknown): unknown =>
  typeof value === 'number' ? Math.round(1000 * value) / 1000 : value;
