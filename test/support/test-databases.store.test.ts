import { expect } from 'chai';
import { aProduct } from '../contracts/samples.ts';
import { storeAt } from './store-at.ts';
import { allKinds, createDatabase, createMigrated, isKept, productOf } from './test-databases.ts';

for (const kind of allKinds.filter(isKept)) {
  describe(`A migrated database for a test on ${productOf(kind)}`, () => {
    it('has every table before the first start, no rows, and a feed of its own', async () => {
      const feeds: string[] = [];
      for (const _ of ['one', 'another']) {
        const { url, remove } = await createMigrated(kind);
        const { isNew, schema, unitOfWork, close } = await storeAt(url);
        expect(isNew).to.equal(false);
        expect(await schema?.())
          .to.include.keys('applied')
          .and.to.deep.include({ pending: [], unknown: [] });
        feeds.push((await unitOfWork.read(({ events }) => events.feed())).id);
        expect((await unitOfWork.read(({ products }) => products.page({}, { limit: 1 }))).rows).to.deep.equal(
          [],
        );
        await unitOfWork.run(({ products }) => products.add(aProduct()));
        await close();
        await remove();
      }
      expect(new Set(feeds)).to.have.property('size', 2);
    });
  });

  describe(`An empty database for a test on ${productOf(kind)}`, () => {
    it('is migrated by the first start', async () => {
      const { url, remove } = await createDatabase(kind);
      const { isNew, close } = await storeAt(url);
      expect(isNew).to.equal(true);
      await close();
      await remove();
    });
  });
}
