import Mocha from 'mocha';

const root = new URL('../..', import.meta.url);

let runs = 0;

/**
 * Finds the full titles of the tests in files, without running them.
 * @param files paths from the root of the repository
 */
export const titlesIn = async (files: readonly string[]): Promise<readonly string[]> => {
  const mocha = new Mocha({ reporter: Mocha.reporters.Base });
  const functions: Record<string, unknown> = {};
  mocha.suite.emit(Mocha.Suite.constants.EVENT_FILE_PRE_REQUIRE, functions, '', mocha);
  // The `describe` and the like of the tests that are running.
  const own = Object.fromEntries(Object.keys(functions).map((name) => [name, Reflect.get(globalThis, name)]));
  Object.assign(globalThis, functions);
  try {
    // The query makes another module of a file that was loaded before.
    runs += 1;
    for (const file of files) await import(`${new URL(file, root).href}?titles=${runs}`);
  } finally {
    Object.assign(globalThis, own);
  }
  const titles: string[] = [];
  mocha.suite.eachTest((test: Mocha.Test) => void titles.push(test.fullTitle()));
  return titles;
};
