import { expect } from 'chai';
import { openStore } from '#bootstrap/composition/ports/open-store.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { Erasure } from '#domain/erasure.ts';
import { Instant } from '#domain/instant.ts';
import { aUser } from '#test/contracts/samples.ts';
import { newId } from '#test/support/machine.ts';
import { productOf } from '#test/support/test-databases.ts';
import { createDatabase, testedKinds } from '../../lab/databases.ts';
import { dumpRows } from '../../lab/dump.ts';
import { readRows } from '../../lab/rows.ts';
import { markOf, markOfAll, Person } from './person.ts';

const noon = '2026-03-01T12:00:00.000Z';

describe('Chaos', () => {
  for (const kind of testedKinds) {
    it(`finds the texts of a customer in ${productOf(kind)}, and when their erasure began`, async () => {
      const database = await createDatabase(kind);
      const store = await openStore(readConfig({ DATABASE_URL: database.url }).database);
      const { mark, metadata } = new Person(markOf('7'));
      const [marked, other] = [aUser({ metadata }), aUser()];
      await store.unitOfWork.run(async ({ users, erasures }) => {
        await users.addAll([marked, other]);
        await erasures.add(Erasure.begin(newId(), marked.id, Instant.at(Date.parse(noon))));
      });
      const rows = await Array.fromAsync(dumpRows(database));
      const [found, ...more] = rows.filter(({ text }) => text.includes(markOfAll));
      expect(found).to.include({ table: 'users' });
      expect(found?.text).to.include(mark).and.to.include(marked.id);
      expect(more).to.deep.equal([]);
      const { erasures } = await readRows(database);
      expect(erasures.map(({ createdAt }) => createdAt)).to.deep.equal([Date.parse(noon)]);
      await store.close();
      await database.remove();
    });
  }
});
