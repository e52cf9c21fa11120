import { freshDatabase } from '../../support/postgres.ts';
import { temporaryFolder } from '../../support/temporary.ts';

/** A place to keep something, for the tests of the surrounding `describe`. */
export interface Place {
  readonly url: string;
}

/** Each command is a process, and a machine may be busy. In milliseconds. */
const patience = 90_000;

/** The databases that there are, each empty. @param describeThere what is the same in all of them */
export const describeOnEach = (what: string, describeThere: (place: Place) => void): void => {
  describe(`${what}, on SQLite`, function () {
    this.timeout(patience);
    const folder = temporaryFolder();
    describeThere({
      get url() {
        return `sqlite:${folder('portico.db')}`;
      },
    });
  });
  describe(`${what}, on PostgreSQL`, function () {
    this.timeout(patience);
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
