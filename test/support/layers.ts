import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import timers from 'node:timers/promises';

/** What a test file may use, from the least to the most. CONTRIBUTING.md says what belongs where. */
const layers = ['unit', 'store', 'e2e', 'night'] as const;
export type Layer = (typeof layers)[number];

/** The layer of a test file, by the end of its name: `orders.store.test.ts`. */
export const layerOf = (file: string): Layer => {
  const [, suffix] = /\.(store|e2e|night)\.test\.ts$/.exec(file) ?? [];
  return (suffix as Layer | undefined) ?? 'unit';
};

/** The layer that may do what each of these may. */
export const widestOf = (given: readonly Layer[]): Layer =>
  layers.findLast((layer) => given.includes(layer)) ?? 'unit';

/** The programs that a store test may start, each with its reason. Where files run in parallel, Mocha's first process starts them. */
export const databasePrograms: Readonly<Record<string, string>> = {
  initdb: 'makes the folder of the shared PostgreSQL server',
  postgres: 'is that server',
  'mariadb-install-db': 'makes the folder of the shared MariaDB server',
  mariadbd: 'is that server',
  id: 'finds the user as which root starts MariaDB',
};

/** Programs that the product asks where they are installed. Unit and store tests have it go on without them. */
export const absentPrograms: Readonly<Record<string, string>> = {
  timedatectl: 'the doctor asks it for the clock of this machine',
};

/** What waits on the wall clock. Timers that the product sets may go on: they are not what a test waits for. */
const waits = ['setTimeout', 'setInterval'] as const;

/** Undefined while files are loaded, and in Mocha's first process. */
let current: Layer | undefined;

const startedWhileLoading: string[] = [];
const breaches: Error[] = [];

/**
 * Sets the layer of the tests that run from now on.
 * @throws when its files, while they were loaded, have started what the layer must not
 */
export const enterLayer = (layer: Layer): void => {
  current = layer;
  for (const program of startedWhileLoading.splice(0)) forbidStart(program);
};

/** Lets the next file be loaded. */
export const leaveLayer = (): void => {
  current = undefined;
};

/** The layer of the tests that run. */
export const currentLayer = (): Layer | undefined => current;

/** @returns the first use of what the layer forbids since the last call: code that catches the error hides it */
export const takeBreach = (): Error | undefined => breaches.splice(0)[0];

const breachBy = (what: string, place: string): Error =>
  new Error(`A ${current} test must not use ${what}: it belongs in a ${place} file (CONTRIBUTING.md).`);

const forbid = (breach: Error): never => {
  breaches.push(breach);
  throw breach;
};

/** @throws in a unit test */
export const forbidInUnit = (what: string): void => {
  if (current === 'unit') forbid(breachBy(what, '*.store.test.ts or *.e2e.test.ts'));
};

/** @throws in a unit test, and in a store test for all but a program of a database */
const forbidStart = (program: string): void => {
  if (current === undefined) startedWhileLoading.push(program);
  const isForbidden = current === 'unit' || (current === 'store' && !(basename(program) in databasePrograms));
  if (!isForbidden) return;
  const breach = breachBy(`the process ${program}`, '*.e2e.test.ts');
  if (program in absentPrograms) throw breach;
  forbid(breach);
};

type Callable = (...args: never[]) => unknown;

/** @param check gets the arguments of each call, and throws where it is forbidden */
const guarded = (original: Callable, check: (...args: never[]) => void): Callable =>
  function (this: unknown, ...args) {
    check(...args);
    return Reflect.apply(original, this, args);
  };

/**
 * Makes every start of a process, and every wait on the wall clock by `node:timers/promises`, throw in a layer that must not use it. A
 * name that a module has imported before changes with it.
 */
export const guardLayers = (): void => {
  // `exec`, `execFile`, `fork` and `spawn` all call it.
  const { prototype } = childProcess.ChildProcess;
  const start = Reflect.get(prototype, 'spawn') as Callable;
  Reflect.set(
    prototype,
    'spawn',
    guarded(start, ({ file }: { readonly file: string }) => forbidStart(file)),
  );
  for (const name of ['execFileSync', 'execSync', 'spawnSync'] as const)
    Object.assign(childProcess, { [name]: guarded(childProcess[name] as Callable, forbidStart) });
  for (const name of waits) {
    const forbidWait = (): void => forbidInUnit(`timers/promises.${name}`);
    Object.assign(timers, { [name]: guarded(timers[name] as Callable, forbidWait) });
  }
  syncBuiltinESMExports();
};
