import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Generator } from './load/generator.ts';
import { runLoad } from './load/run-load.ts';
import { warm } from './measure-scenario.ts';
import { callsIn, flameGraph, type Profile } from './report/flame-graph.ts';
import type { Scenario } from './scenarios.ts';
import { type Kind, prepareDatabases } from './servers/databases.ts';
import { startTargets } from './servers/stands.ts';

/** Ignored by git. */
const folder = fileURLToPath(new URL('../../data/profiles', import.meta.url));

interface ProfileOptions {
  readonly generator: Generator;
  readonly products: number;
  readonly connections: number;
  readonly seconds: number;
}

/** The profile's clock, in microseconds. */
const now = (): number => Number(process.hrtime.bigint() / 1000n);

/** Profiles Portico under one scenario. @returns the paths of the profile and of its flame graph */
export const profile = async (
  kind: Kind,
  scenario: Scenario,
  { generator, products, connections, seconds }: ProfileOptions,
): Promise<readonly string[]> => {
  await using cleanUp = new AsyncDisposableStack();
  const databases = await prepareDatabases(kind, { products, hasSmaller: false }, cleanUp);
  const servers = cleanUp.use(new AsyncDisposableStack());
  const wanted = { databases, chosen: [scenario], seconds: 2 * seconds, isProfiled: true };
  const stands = await startTargets(wanted, servers);
  const { [scenario.subject]: stand } = stands;
  const requests = await scenario.requests(stand);
  const beside = await scenario.beside?.(stand);
  await warm(stand, 2);
  const from = now();
  const load = { port: stand.port, requests, beside, from: 0, seconds };
  const answered = await runLoad(generator, { ...load, connections: scenario.connections ?? connections });
  const count = answered.requests + answered.besideRequests;
  const until = now();
  await servers.disposeAsync();

  await mkdir(folder, { recursive: true });
  const name = join(folder, `${kind}-${scenario.id}`);
  const [raw, drawn] = [`${name}.cpuprofile`, `${name}.svg`];
  await copyFile(join(databases.folder, `${scenario.subject}.cpuprofile`), raw);
  const calls = callsIn(JSON.parse(await readFile(raw, 'utf8')) as Profile, from, until);
  const title = `Portico on ${kind}, ${scenario.name}: ${count} requests in ${seconds} s`;
  await writeFile(drawn, flameGraph(calls, title));
  return [raw, drawn];
};
