// Runs tests for the process that forked it: each run loads the code anew, with a fault planted in it.
import { registerHooks } from 'node:module';
import Mocha from 'mocha';
import { seedFastCheck, seedMathRandom } from '../support/seed.ts';
import { type Fault, plant } from './plant.ts';

/** A run of tests, up to the first failure. */
export interface Task {
  readonly files: readonly string[];
  /** Regular expression for the full titles of the tests to run. */
  readonly titles: string;
  readonly fault?: Fault | undefined;
  /** How long one test may take, in milliseconds, unless it sets a limit of its own. */
  readonly timeoutMs: number;
}

/** What the tests showed. */
export type Verdict =
  | { readonly kind: 'passed'; readonly titles: readonly string[] }
  | { readonly kind: 'failed'; readonly title: string; readonly isTimeout: boolean; readonly message: string }
  /** The code cannot be loaded, so nothing is known about the fault. */
  | { readonly kind: 'broken'; readonly message: string };

const root = new URL('../..', import.meta.url);
const libraries = new URL('node_modules/', root);

// Without the seed a test could miss a fault by what it happens to draw.
seedFastCheck({ endOnFailure: true });

let runs = 0;
let planted: Fault | undefined;

// The query makes another module of the same file. Libraries are loaded once.
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const isOurs = found.url.startsWith(root.href) && !found.url.startsWith(libraries.href);
    return runs > 0 && isOurs ? { ...found, url: `${found.url.split('?')[0]}?run=${runs}` } : found;
  },
  load(url, context, next) {
    const loaded = next(url, context);
    if (planted === undefined || url.split('?')[0] !== new URL(planted.file, root).href) return loaded;
    return { ...loaded, source: plant(planted, String(loaded.source)) };
  },
});

const run = async ({ files, titles, fault, timeoutMs }: Task): Promise<Verdict> => {
  runs += 1;
  planted = fault;
  const passed: string[] = [];
  let failure: Verdict | undefined;
  const mocha = new Mocha({
    bail: true,
    timeout: timeoutMs,
    reporter: Mocha.reporters.Base,
    grep: new RegExp(titles),
  });
  mocha.suite.beforeEach('draws from the seed', seedMathRandom);
  // Defines `describe` and the like.
  mocha.suite.emit(Mocha.Suite.constants.EVENT_FILE_PRE_REQUIRE, globalThis, '', mocha);
  try {
    // Mocha would import the same modules each time.
    for (const file of files) await import(`${new URL(file, root).href}?run=${runs}`);
  } catch (error) {
    return { kind: 'broken', message: String(error) };
  }
  await new Promise((resolve) => {
    const runner = mocha.run(resolve);
    runner.on('pass', (test) => passed.push(test.fullTitle()));
    runner.on('fail', (test, error: Error & { readonly code?: string }) => {
      failure ??= {
        kind: 'failed',
        title: test.fullTitle(),
        isTimeout: error.code === 'ERR_MOCHA_TIMEOUT',
        message: error.message,
      };
    });
  });
  mocha.dispose();
  return failure ?? { kind: 'passed', titles: passed };
};

process.on('message', (task: Task) => {
  void run(task).then((verdict) => process.send?.(verdict));
});
