import { StripeProcess } from '../stripe/stripe-process.ts';
import type { DatabaseName } from './arguments.ts';
import { environment, indexLag } from './conditions.ts';
import { Fleet } from './fleet.ts';
import { newPlace, type Place } from './place.ts';
import { Server } from './server.ts';

interface Options {
  readonly database: DatabaseName;
  readonly ports: readonly [number, number];
  /** For whatever has to be kept for a while. */
  readonly folder: string;
  /** Where compiled code is. */
  readonly cache: string;
  /** Is told of servers that end although the test has not killed them. */
  readonly died: (detail: string) => void;
  /** Ends everything that has been started here. */
  readonly cleanUp: AsyncDisposableStack;
}

export interface Stage {
  readonly provider: StripeProcess;
  readonly place: Place;
  readonly fleet: Fleet;
}

/** An empty database, a provider, and two servers that have just been started. */
export const setStage = async (options: Options): Promise<Stage> => {
  const { folder, cache, died, cleanUp } = options;
  const provider = await StripeProcess.start();
  cleanUp.defer(() => provider.stop());
  // As with Stripe, what has just been made is not found by a search.
  await provider.searchLag(indexLag);
  const place = await newPlace(options.database, folder);
  cleanUp.defer(() => place.remove());

  const server = (name: string, port: number): Server => {
    const where = { database: place.url, provider: provider.url, port, cache };
    return new Server({ name, port, folder, environment: environment(where), died });
  };
  const [one, two] = options.ports;
  const fleet = new Fleet([server('server-1', one), server('server-2', two)]);
  cleanUp.defer(() => fleet.end());
  for (const each of fleet.servers) each.start();
  return { provider, place, fleet };
};

/** One start and one end as they should be: only then does Node write down what it has compiled, for all to come. */
export const warmUp = async (options: Options): Promise<void> => {
  const { fleet } = await setStage(options);
  await fleet.ready();
  await Promise.all(fleet.servers.map((server) => server.stop()));
};
