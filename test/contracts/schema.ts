import { expect } from 'chai';
import type { Store } from '#adapters/persistence/store.ts';
import { mocha } from './harness.ts';

/** A store of one's own, and another way into the migrations that its database records. */
export interface SchemaHarness extends Pick<Store, 'schema' | 'close'> {
  /** Records that a migration was applied, as another version of Portico does. */
  readonly record: (migration: string) => Promise<unknown>;
  /** Records that it was not. */
  readonly forget: (migration: string) => Promise<unknown>;
  /** The names of the migrations that are recorded. */
  readonly recorded: () => Promise<readonly string[]>;
}

/** What `Store.schema` promises, where a database can be of another version than Portico. */
export const describeSchema = (adapter: string, open: () => Promise<SchemaHarness>, runner = mocha()) =>
  runner.describe(`${adapter}: the comparison of the schema`, () => {
    const { it, before, after } = runner;
    let store: SchemaHarness;
    before(async () => {
      store = await open();
    });
    after(() => store.close());

    it('finds no difference once the store is open', async () => {
      expect(await store.schema()).to.deep.include({ pending: [], unknown: [] });
      expect(await store.recorded()).to.not.deep.equal([]);
    });

    it('names the migrations that are missing by now', async () => {
      const last = (await store.recorded()).at(-1) ?? '';
      await store.forget(last);
      expect(await store.schema()).to.deep.include({ pending: [last], unknown: [] });
      await store.record(last);
      expect(await store.schema()).to.deep.include({ pending: [], unknown: [] });
    });

    it('names the migrations that a later version has applied', async () => {
      await store.record('9999-later');
      expect(await store.schema()).to.deep.include({ pending: [], unknown: ['9999-later'] });
      await store.forget('9999-later');
      expect(await store.schema()).to.deep.include({ pending: [], unknown: [] });
    });
  });
