import { join } from 'node:path';
import { freePort } from '../../bootstrap/support/ports.ts';
import { Program } from '../../lab/program.ts';
import { startFlags } from '../../support/start-flags.ts';

/** A server under test. */
export interface Server {
  readonly id: number;
  readonly port: number;
  stop(): Promise<void>;
}

/** Files for the output of a process that is measured: no reader slows it down. */
export const outputFiles = (folder: string, name: string) => ({
  outputFile: join(folder, `${name}.out`),
  errorsFile: join(folder, `${name}.log`),
});

export const operatorKey = 'an-operator-key-that-is-long-enough-for-all';

interface ServerOptions {
  readonly folder: string;
  readonly name: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
  /** The working copy of the server, if it is not this one. */
  readonly from?: string | undefined;
}

/** Portico as `npm start` runs it, except for a rate limit that is never reached and no demonstration data. */
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
  { folder, name, environment, flags = [], from }: ServerOptions,
): Promise<Server> => {
  const settings = await settingsOf(database);
  const child = new Program('bootstrap/main.mjs', {
    ...{ folder, ...outputFiles(folder, name) },
    flags: [...startFlags, ...flags],
    environment: { ...settings, ...environment },
    from,
  });
  await child.printed(/^Health is at/m);
  return { id: child.id, port: Number(settings.PORT), stop: () => child.stop() };
};

/** The hand-written server that Portico is compared with. */
export const startYardstick = async (
  database: string,
  { folder, name, environment = {} }: ServerOptions,
): Promise<Server> => {
  const child = new Program('test/bench/yardstick/main.ts', {
    ...{ folder, ...outputFiles(folder, name) },
    environment: { DATABASE_URL: database, ...environment },
  });
  const [, port] = await child.printed(/^Listens on (\d+)\n/m);
  return { id: child.id, port: Number(port), stop: () => child.stop() };
};
