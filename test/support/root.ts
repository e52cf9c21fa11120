import { inspect } from 'node:util';
import { config } from 'chai';
import { exitAtSignals } from './at-exit.ts';
import { beginIdle, requireBusy } from './idle.ts';
import {
  currentLayer,
  enterLayer,
  guardLayers,
  layerOf,
  leaveLayer,
  takeBreach,
  widestOf,
} from './layers.ts';
import { shareMariaDb } from './mariadb.ts';
import { sharePostgres } from './postgres.ts';
import { repetition, seedFastCheck, seedMathRandom } from './seed.ts';
import { beginRun, endRun } from './test-run.ts';

// A failure that is cut off cannot be explained afterwards.
config.truncateThreshold = 4000;

seedFastCheck();

interface Runner {
  isParallelMode(): boolean;
}

/**
 * Mocha calls it before all tests. Worker processes share the database servers of this process, because only this one knows when all
 * tests have ended.
 */
export async function mochaGlobalSetup(this: Runner): Promise<void> {
  beginRun();
  // Unit tests need no server, and are run at every edit.
  const { TEST_LAYER: layer } = process.env;
  if (this.isParallelMode() && layer !== 'unit') await Promise.all([sharePostgres(), shareMariaDb()]);
}

/** Mocha calls it after all tests, whether they passed or failed. */
export const mochaGlobalTeardown = endRun;

guardLayers();

// An interrupted run must leave no servers behind. Mocha would let the signal end this process at once.
exitAtSignals();

interface RootSuite {
  readonly suites: readonly { readonly file?: string }[];
}

export const mochaHooks = {
  /** A worker runs one file at a time. Several files that run in one process may do what the least strict of them may. */
  beforeAll(this: { readonly test?: { readonly parent?: RootSuite } }): void {
    enterLayer(widestOf(this.test?.parent?.suites.map(({ file = '' }) => layerOf(file)) ?? []));
  },

  afterAll: leaveLayer,

  beforeEach(): void {
    beginIdle();
    seedMathRandom();
  },

  /** Adds to an error's stack what explains it: Mocha prints the stack only. */
  afterEach(this: { readonly currentTest?: { readonly err?: unknown } }): void {
    const { err } = this.currentTest ?? {};
    const breach = takeBreach();
    if (err === undefined && breach !== undefined) throw breach;
    if (err === undefined && currentLayer() === 'unit') requireBusy();
    if (!(err instanceof Error)) return;
    if (err.cause !== undefined) err.stack += `\ncaused by ${inspect(err.cause)}`;
    if ('TEST_SEED' in process.env) err.stack += `\n${repetition()}`;
  },
};
