import { freshDatabase } from '../../support/postgres.ts';
import { temporaryFolder } from '../../support/temporary.ts';

/** An empty database for the tests of the surrounding `describe`. */
export interface Place {
  readonly url: string;
}

/** Each command is a process, and the machine may be busy. */
const commandTimeoutMs = 90_000;

/** Runs the same tests on each kind of database. */
export const describeOnEach = (what: string, describeThere: (place: Place) => void): void => {
  describe(`${what}, on SQLite`, function () {
    this.timeout(commandTimeoutMs);
    const folder = temporaryFolder();
    describeThere({
      get url() {
        return `sqlite:${folder('portico.db')}`;
      },
    });
  });
  describe(`${what}, on PostgreSQL`, function () {
    this.timeout(commandTimeoutMs);
    let url = '';
    let drop: (() => Promise<void>) | undefined;
    before(async () => {
      ({ url, drop } = await freshDatabase());
    });
    after(() => drop?.());
    describeThere({
      get url() {
        return url;
      },
    });
  });
};
