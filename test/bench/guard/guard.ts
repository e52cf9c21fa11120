import { cpuOf, cpuOfFamily } from '../../lab/cpu.ts';
import { closedLoad } from '../../lab/load/load.ts';
import { Tally } from '../../lab/load/tally.ts';
import { withKey } from '../load/keys.ts';
import { firstPage, type Target } from '../requests.ts';
import type { Scenario } from '../scenarios.ts';
import { readCatalogue } from '../servers/catalogue.ts';
import { startOnce } from '../servers/cold-start.ts';
import { fillStock, type Kind, prepareDatabases, seedDatabase } from '../servers/databases.ts';
import { startPortico } from '../servers/servers.ts';
import { lineOf, maxRatio, type Round, ratioOf } from './judge.ts';

/** Seldom enough for requests to share no more than they do one by one, and enough to keep a server busy. */
const connections = 4;

/** How long orders are placed that payments will need, in seconds. */
const orderSeconds = 20;

interface GuardOptions {
  readonly kind: Kind;
  readonly scenarios: readonly Scenario[];
  readonly products: number;
  readonly rounds: number;
  /** Part of the requests of each round that are sent. Less than all is too little to be judged. */
  readonly part: number;
  /** The working copy of the earlier commit. */
  readonly earlier: string;
  readonly print: (text: string) => void;
}

interface Side {
  readonly target: Target;
  readonly url: string;
  readonly from: string | undefined;
  /** Processor time of the server and of its database so far, in seconds. */
  readonly cpu: () => number;
}

/**
 * Sends the same numbers of requests to this working copy and to an earlier one, in turn, each over a database of its own, and compares
 * the processor time that they take. Unlike a rate, it hardly depends on what else the machine does.
 * @returns whether nothing takes more than a tenth longer, as far as it is judged
 */
export const guard = async (options: GuardOptions, cleanUp: AsyncDisposableStack): Promise<boolean> => {
  const { kind, scenarios, products, rounds, part, earlier, print } = options;
  const databases = await prepareDatabases(kind, { products, hasSmaller: false }, cleanUp);
  const { folder, serverId, create } = databases;
  if (create === undefined) throw new Error(`There is no guard for ${kind}.`);
  const ofDatabase = (): number => (serverId === undefined ? 0 : cpuOfFamily(serverId));

  const start = async (name: string, url: string, token: string, from: string | undefined): Promise<Side> => {
    const server = await startPortico(url, { folder, name, from });
    cleanUp.defer(() => server.stop());
    const catalogue = await readCatalogue(server.port, token);
    const seconds = Math.max(1, part * orderSeconds);
    return {
      target: { ...server, token, seconds, catalogue },
      url,
      from,
      cpu: () => cpuOf(server.id) + ofDatabase(),
    };
  };
  const url = await create('earlier');
  const token = await seedDatabase(url, products, folder, earlier);
  await fillStock(url);
  const before = await start('earlier', url, token, earlier);
  const now = await start('portico', databases.portico, databases.token, undefined);

  let isKept = true;
  const judge = (name: string, measured: readonly Round[]): void => {
    if (part < 1) {
      print(`ran     ${kind}, ${name}`);
      return;
    }
    print(lineOf(`${kind}, ${name}`, measured));
    isKept &&= ratioOf(measured) <= maxRatio;
  };
  for (const scenario of scenarios) {
    const count = Math.ceil(part * (scenario.guardRequests ?? 0));
    const requests = {
      before: await scenario.requests(before.target),
      now: await scenario.requests(now.target),
    };
    // The last is not sent again: a payment can be made once.
    if (!(await isKnown(scenario, before, requests.before.at(-1)))) {
      print(`new     ${kind}, ${scenario.name}: the earlier commit cannot do it`);
      continue;
    }
    const senders = {
      before: senderOf(scenario, before, requests.before, count),
      now: senderOf(scenario, now, requests.now, count),
    };
    // The first pair is the warm-up.
    const pairs = await alternate(1 + rounds, senders);
    judge(scenario.name, pairs.slice(1));
  }
  const startOf =
    ({ target: { token: key }, ...side }: Side) =>
    async (): Promise<number> => {
      const [request = ''] = await firstPage(20)({ ...now.target, token: key });
      const { cpuMs } = await startOnce({
        database: side.url,
        request,
        status: 200,
        folder,
        from: side.from,
      });
      return 1000 * cpuMs;
    };
  judge('a start', (await alternate(1 + rounds, { before: startOf(before), now: startOf(now) })).slice(1));
  return isKept;
};

type Measure = () => Promise<number>;

/** Measures both sides in turn. The two take turns in going first. */
const alternate = async (
  rounds: number,
  { before, now }: Readonly<Record<keyof Round, Measure>>,
): Promise<readonly Round[]> => {
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) {
      const first = await before();
      measured.push({ before: first, now: await now() });
    } else {
      const first = await now();
      measured.push({ before: await before(), now: first });
    }
  }
  return measured;
};

/** Whether a response has the status that the scenario expects. */
const isExpected =
  ({ status: expected }: Scenario) =>
  (status: number): boolean =>
    expected >= 400 ? status === expected : status < 400;

/** Whether this side responds to the request as the scenario expects. */
const isKnown = async (scenario: Scenario, { target }: Side, request = ''): Promise<boolean> => {
  const tally = new Tally();
  const next = () => Buffer.from(withKey(request));
  await closedLoad({ port: target.port, tally, connections: 1, next, requests: 1 });
  return tally.count(isExpected(scenario)) === 1;
};

/** @returns what sends so many requests, and returns the processor time of each in microseconds */
const senderOf = (
  scenario: Scenario,
  { target, cpu }: Side,
  requests: readonly string[],
  count: number,
): Measure => {
  let sent = 0;
  return async () => {
    const tally = new Tally();
    const from = sent;
    const spent = cpu();
    await closedLoad({
      ...{ port: target.port, tally, connections },
      next: (number) => Buffer.from(withKey(requests[(from + number) % requests.length] ?? '')),
      requests: count,
    });
    sent += count;
    if (tally.count(isExpected(scenario)) !== count)
      throw new Error(`${scenario.name}: wrong responses: ${tally}.`);
    return (1e6 * (cpu() - spent)) / count;
  };
};
