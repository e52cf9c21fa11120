import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { promisify } from 'node:util';

/** What a test file may use. CONTRIBUTING.md says what belongs where. */
export type Layer = 'unit' | 'store' | 'e2e' | 'night';

/** The layer of a test file, by the end of its name: `orders.store.test.ts`. */
export const layerOf = (file: string): Layer => {
  const [, suffix] = /\.(store|e2e|night)\.test\.ts$/.exec(file) ?? [];
  return (suffix as Layer | undefined) ?? 'unit';
};

/** What starts a process. */
const starters = ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'] as const;

/** What waits on the wall clock. Timers that the product sets may go on: they are not what a test waits for. */
const waits = ['setTimeout', 'setInterval'] as const;

let current: Layer = 'e2e';

/** Sets the layer of the tests that run from now on. */
export const enterLayer = (layer: Layer): void => {
  current = layer;
};

/** The layer of the tests that run. */
export const currentLayer = (): Layer => current;

/** @throws in a unit test */
export const forbidInUnit = (what: string): void => {
  if (current !== 'unit') return;
  throw new Error(
    `A unit test must not use ${what}: it belongs in a *.store.test.ts or *.e2e.test.ts file (CONTRIBUTING.md).`,
  );
};

type Callable = (...args: never[]) => unknown;

const guarded = (original: Callable, what: string): Callable => {
  const call: Callable = (...args) => {
    forbidInUnit(what);
    return original(...args);
  };
  return call;
};

/** A function that may have another form for `promisify`. */
const guardedWithPromise = (original: Callable, what: string): Callable => {
  const promised: unknown = Reflect.get(original, promisify.custom);
  const call = guarded(original, what);
  return typeof promised === 'function'
    ? Object.assign(call, { [promisify.custom]: guarded(promised as Callable, what) })
    : call;
};

/**
 * Makes every start of a process, and every wait on the wall clock by `node:timers/promises`, throw while unit tests run. A name
 * that a module has imported before changes with it.
 */
export const guardLayers = (): void => {
  for (const name of starters) {
    Object.assign(childProcess, {
      [name]: guardedWithPromise(childProcess[name] as Callable, `child_process.${name}`),
    });
  }
  for (const name of waits) {
    Object.assign(timers, { [name]: guarded(timers[name] as Callable, `timers/promises.${name}`) });
  }
  syncBuiltinESMExports();
};
