import { inspect } from 'node:util';
import { sharePostgres, stopPostgres } from './postgres.ts';

interface Runner {
  isParallelMode(): boolean;
}

/**
 * Mocha calls it before all tests. Where they run in several processes, those use the PostgreSQL of this one, for only this
 * one knows when all have ended.
 */
export async function mochaGlobalSetup(this: Runner): Promise<void> {
  if (this.isParallelMode()) await sharePostgres();
}

/** Mocha calls it when all tests have ended, however they did. */
export const mochaGlobalTeardown = stopPostgres;

/** What brought an error about is told with it: Mocha shows an error's own stack alone. */
export const mochaHooks = {
  afterEach(this: { readonly currentTest?: { readonly err?: unknown } }): void {
    const { err } = this.currentTest ?? {};
    if (err instanceof Error && err.cause !== undefined) err.stack += `\ncaused by ${inspect(err.cause)}`;
  },
};
