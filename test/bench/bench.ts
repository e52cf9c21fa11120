import type { Arguments } from './arguments.ts';
import { answerTo } from './canned.ts';
import { catalogueOf } from './catalogue.ts';
import { type Kind, prepare } from './databases.ts';
import type { Generator } from './generator.ts';
import { type Compared, compare, type Side } from './measure.ts';
import { ownGenerator } from './own-generator.ts';
import type { Scenario } from './scenarios.ts';
import { type Server, startPortico, startYardstick } from './servers.ts';
import { table } from './table.ts';
import { findWrk } from './wrk.ts';

type Tell = (text: string) => void;

const titles = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

export const bench = async (
  given: Arguments,
  everything: AsyncDisposableStack,
  tell: Tell,
): Promise<void> => {
  const generator = (await findWrk()) ?? ownGenerator;
  for (const kind of given.kinds) {
    const cleanUp = everything.use(new AsyncDisposableStack());
    tell(
      `\n${titles[kind]}, ${given.products} products, ${given.connections} connections, asked by ${generator.name}`,
    );
    const rows = await resultsOn(kind, given, generator, cleanUp);
    tell(table([heads, ...rows.map(([scenario, compared]) => rowOf(scenario, compared))]));
    await cleanUp.disposeAsync();
  }
};

const resultsOn = async (
  kind: Kind,
  { products, chosen, connections, rounds, seconds }: Arguments,
  generator: Generator,
  cleanUp: AsyncDisposableStack,
): Promise<[Scenario, Compared][]> => {
  const databases = await prepare(kind, products, cleanUp);
  const { token, folder, serverId } = databases;
  const portico = await startPortico(databases.portico, { folder, name: 'portico' });
  cleanUp.defer(() => portico.end());
  const yardstick = await startYardstick(databases.yardstick, { folder, name: 'yardstick' });
  cleanUp.defer(() => yardstick.end());
  const catalogue = await catalogueOf(portico.port, token);
  const results: [Scenario, Compared][] = [];
  for (const scenario of chosen) {
    const requests = scenario.requests({ catalogue, token });
    await requireSame(scenario, portico, yardstick, requests[0] ?? '');
    const sideOf = ({ id, port }: Server): Side => ({
      id,
      port,
      requests,
      isRefused: scenario.status >= 400,
      ...(serverId !== undefined && { databaseId: serverId }),
    });
    const plan = { generator, connections, rounds, seconds };
    results.push([scenario, await compare(sideOf(portico), sideOf(yardstick), plan)]);
  }
  return results;
};

/** A yardstick that answers something else measures nothing. */
const requireSame = async (
  { name, status }: Scenario,
  portico: Server,
  yardstick: Server,
  request: string,
): Promise<void> => {
  const one = await answerTo(portico.port, request);
  const other = await answerTo(yardstick.port, request);
  const isSame = one.status === status && other.status === status && one.body.length === other.body.length;
  if (!isSame) {
    throw new Error(
      `The two answer differently for ${name}:\n${JSON.stringify(one)}\n${JSON.stringify(other)}`,
    );
  }
};

const heads = [
  '',
  'Portico/s',
  'yardstick/s',
  'ratio',
  'p50 ms',
  'p99 ms',
  'yardstick p99',
  'CPU us',
  'yardstick CPU',
  'CPU ratio',
  'core',
  'asking',
];

const rowOf = ({ name }: Scenario, { portico, against, ratio }: Compared): string[] => [
  name,
  portico.rate.toFixed(0),
  against.rate.toFixed(0),
  ratio.toFixed(2),
  portico.p50.toFixed(2),
  portico.p99.toFixed(2),
  against.p99.toFixed(2),
  portico.cpu.toFixed(0),
  against.cpu.toFixed(0),
  (against.cpu / portico.cpu).toFixed(2),
  portico.busy.toFixed(2),
  portico.generatorBusy.toFixed(2),
];
