import type { StoreKindName } from '#bootstrap/config/store-kinds.ts';
import {
  allKinds,
  createDatabase,
  isKept,
  productOf,
  type TestDatabase,
} from '../../support/test-databases.ts';

/** An empty database for the tests of the surrounding `describe`. */
export interface Place {
  readonly url: string;
}

/** A command may be a process, and the machine may be busy. */
const commandTimeoutMs = 90_000;

/** Runs the same tests on each of these kinds of database, by default on all that keep their data. */
export const describeOnEach = (
  what: string,
  describeThere: (place: Place) => void,
  kinds: readonly StoreKindName[] = allKinds.filter(isKept),
): void => {
  for (const kind of kinds) {
    describe(`${what}, on ${productOf(kind)}`, function () {
      this.timeout(commandTimeoutMs);
      let database: TestDatabase | undefined;
      before(async () => {
        database = await createDatabase(kind);
      });
      describeThere({
        get url() {
          return database?.url ?? '';
        },
      });
      // Behind the hooks of the tests themselves, which may close what uses it.
      after(() => database?.remove());
    });
  }
};
