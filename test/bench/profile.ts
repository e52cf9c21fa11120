import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { warm } from './bench.ts';
import { type Kind, prepare } from './databases.ts';
import { callsIn, flameGraph, type Profile } from './flame-graph.ts';
import type { Generator } from './generator.ts';
import type { Scenario } from './scenarios.ts';
import { openStands } from './stands.ts';

/** What is in there is in no commit. */
const folder = fileURLToPath(new URL('../../data/profiles', import.meta.url));

interface How {
  readonly generator: Generator;
  readonly products: number;
  readonly connections: number;
  readonly seconds: number;
}

/** By the clock of the profile, in microseconds. */
const now = (): number => Number(process.hrtime.bigint() / 1000n);

/** Asks Portico in one scenario for a while. @returns where the profile is, and the flame graph of that while */
export const profile = async (
  kind: Kind,
  scenario: Scenario,
  { generator, products, connections, seconds }: How,
): Promise<readonly string[]> => {
  await using cleanUp = new AsyncDisposableStack();
  const databases = await prepare(kind, { products, hasSmaller: false }, cleanUp);
  const servers = cleanUp.use(new AsyncDisposableStack());
  const wanted = { databases, chosen: [scenario], seconds: 2 * seconds, isProfiled: true };
  const stands = await openStands(wanted, servers);
  const { [scenario.who]: stand } = stands;
  const requests = await scenario.asked(stand);
  await warm(stand, 2);
  const from = now();
  const { port } = stand;
  const asking = { port, requests, from: 0, seconds, connections: scenario.connections ?? connections };
  const { requests: count } = await generator.run(asking);
  const until = now();
  await servers.disposeAsync();

  await mkdir(folder, { recursive: true });
  const name = join(folder, `${kind}-${scenario.id}`);
  const [raw, drawn] = [`${name}.cpuprofile`, `${name}.svg`];
  await copyFile(join(databases.folder, `${scenario.who}.cpuprofile`), raw);
  const calls = callsIn(JSON.parse(await readFile(raw, 'utf8')) as Profile, from, until);
  const title = `Portico on ${kind}, ${scenario.name}: ${count} requests in ${seconds} s`;
  await writeFile(drawn, flameGraph(calls, title));
  return [raw, drawn];
};
