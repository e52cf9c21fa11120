import { freePort } from '../bootstrap/support/ports.ts';
import { startFlags } from '../support/start-flags.ts';
import { Child } from './child.ts';

/** A server that is measured. */
export interface Server {
  readonly id: number;
  readonly port: number;
  end(): Promise<void>;
}

export const operatorKey = 'an-operator-key-that-is-long-enough-for-all';

/** What is beside the point of a measurement, and may be set otherwise for another. */
interface Settings {
  readonly folder: string;
  readonly name: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
}

/**
 * Portico as `npm start` has it, with everything on. Two things are set: the limit, which would be all that is measured,
 * and the demonstration's data, of which there are others.
 */
export const settingsOf = async (database: string) => ({
  DATABASE_URL: database,
  PORT: `${await freePort()}`,
  OPS_PORT: `${await freePort()}`,
  ADMIN_API_KEY: operatorKey,
  RATE_LIMIT_MAX: '1000000000',
  SEED_DEMO: '0',
});

export const startPortico = async (
  database: string,
  { folder, name, environment, flags = [] }: Settings,
): Promise<Server> => {
  const settings = await settingsOf(database);
  const child = new Child('bootstrap/main.mjs', {
    folder,
    name,
    flags: [...startFlags, ...flags],
    environment: { ...settings, ...environment },
  });
  await child.said(/^Health is at/m);
  return { id: child.id, port: Number(settings.PORT), end: () => child.end() };
};

/** What one would write by hand instead. */
export const startYardstick = async (
  database: string,
  { folder, name, environment = {} }: Settings,
): Promise<Server> => {
  const child = new Child('test/bench/yardstick/main.ts', {
    folder,
    name,
    environment: { DATABASE_URL: database, ...environment },
  });
  const [, port] = await child.said(/^Listens on (\d+)\n/m);
  return { id: child.id, port: Number(port), end: () => child.end() };
};
