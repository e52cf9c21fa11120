import { StripeProcess } from '../stripe/stripe-process.ts';
import { environment, searchIndexLagMs, webhookSecret } from './conditions.ts';
import { type ChaosDatabase, createDisturbedDatabase, type DisturbedDatabase } from './disturbed-database.ts';
import { namedUrl } from './events/probes.ts';
import { Fleet } from './fleet.ts';
import { Server } from './server.ts';

/** The ports of one server. */
interface ServerPorts {
  readonly api: number;
  readonly ops: number;
  readonly events: number;
}

interface Options {
  readonly database: ChaosDatabase;
  readonly ports: readonly [ServerPorts, ServerPorts];
  /** The folder of databases and logs. */
  readonly folder: string;
  /** The folder of the compile cache. */
  readonly cache: string;
  /** Called when a server ends that the test has not killed. */
  readonly onUnexpectedExit: (detail: string) => void;
  /** Stops everything that is started here. */
  readonly cleanUp: AsyncDisposableStack;
  /** How many servers there are. */
  readonly servers?: 1 | 2;
  /** How many of the servers are started. */
  readonly started?: 1 | 2;
}

export interface Fixture {
  readonly provider: StripeProcess;
  readonly database: DisturbedDatabase;
  readonly fleet: Fleet;
}

/** An empty database, a provider, and two servers that have just been started. */
export const setFixture = async (options: Options): Promise<Fixture> => {
  const { folder, cache, onUnexpectedExit, cleanUp, servers = 2, started = 2 } = options;
  const provider = await StripeProcess.start();
  cleanUp.defer(() => provider.stop());
  // As with Stripe, a search does not find what was just created.
  await provider.searchLag(searchIndexLagMs);
  const database = await createDisturbedDatabase(options.database);
  cleanUp.defer(() => database.remove());

  const server = (name: string, ports: ServerPorts, url = database.url): Server => {
    const { api: port, ops: opsPort, events: eventsPort } = ports;
    const where = { database: url, provider: provider.url, port, opsPort, eventsPort, cache };
    return new Server({
      ...{ name, port, opsPort, eventsPort, folder },
      environment: environment(where),
      environmentOf: (process) => ({ DATABASE_URL: namedUrl(url, process) }),
      onUnexpectedExit,
    });
  };
  const [one, two] = options.ports;
  const first = server('server-1', one);
  const fleet = new Fleet(servers === 1 ? [first] : [first, server('server-2', two, database.secondUrl)]);
  cleanUp.defer(() => fleet.end());
  for (const each of fleet.servers.slice(0, started)) {
    each.start();
    await provider.subscribe(each.eventsUrl, [webhookSecret], 'snapshot');
  }
  return { provider, database, fleet };
};

/** Starts and stops the servers once: Node writes its compile cache only at a graceful exit. */
export const warmUp = async (options: Options): Promise<void> => {
  const { fleet } = await setFixture(options);
  await fleet.ready();
  await Promise.all(fleet.servers.map((server) => server.stop()));
};
