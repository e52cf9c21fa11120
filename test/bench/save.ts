import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import type { Arguments } from './arguments.ts';
import { chart } from './chart.ts';
import type { Kind } from './databases.ts';
import type { Figure } from './figures.ts';
import { judge } from './judge.ts';
import type { Result } from './show.ts';

/** Everything that was measured. */
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

/** For machines to read, and what is drawn of it. */
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
  const caption = "Requests that Portico answers for each of the other's; a line is the goal";
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'results.json'), `${JSON.stringify(all, rounded, 2)}\n`);
  await writeFile(join(folder, 'results.svg'), chart(results, caption));
};

const written =
  (kind: Kind) =>
  ({ scenario, compared }: Result) => {
    const { goal, isReached, p99 } = judge(scenario, kind, compared);
    const { id, name } = scenario;
    const cpu = compared.against.cpu / compared.portico.cpu;
    return {
      id,
      name,
      goal,
      isReached,
      ratio: compared.ratio,
      p99Ratio: p99,
      cpuRatio: cpu,
      ...sidesOf(compared),
    };
  };

const sidesOf = ({ portico, against }: Result['compared']) => ({ portico, against });

const rounded = (_: string, value: unknown): unknown =>
  typeof value === 'number' ? Math.round(1000 * value) / 1000 : value;
