import { inspect } from 'node:util';
import { config } from 'chai';
import { shareMariaDb, stopMariaDb } from './mariadb.ts';
import { sharePostgres, stopPostgres } from './postgres.ts';

// A failure that is cut off cannot be explained afterwards.
config.truncateThreshold = 4000;

interface Runner {
  isParallelMode(): boolean;
}

/**
 * Mocha calls it before all tests. Worker processes share the database servers of this process, because only this one knows when all
 * tests have ended.
 */
export async function mochaGlobalSetup(this: Runner): Promise<void> {
  if (this.isParallelMode()) await Promise.all([sharePostgres(), shareMariaDb()]);
}

/** Mocha calls it after all tests, whether they passed or failed. */
export const mochaGlobalTeardown = async (): Promise<void> => {
  await Promise.all([stopPostgres(), stopMariaDb()]);
};

/** Adds the cause to an error's stack: Mocha prints the stack only. */
export const mochaHooks = {
  afterEach(this: { readonly currentTest?: { readonly err?: unknown } }): void {
    const { err } = this.currentTest ?? {};
    if (err instanceof Error && err.cause !== undefined) err.stack += `\ncaused by ${inspect(err.cause)}`;
  },
};
