import { expect } from 'chai';
import { readAll } from '#application/pages.ts';
import { Page } from '#application/ports/repositories.ts';
import { aWorld } from './world.ts';

describe('A page', () => {
  it('has at most the requested length, and shows whether there are more', () => {
    expect(Page.of([1, 2, 3], 2)).to.deep.equal({ rows: [1, 2], hasMore: true });
    expect(Page.of([1, 2], 2)).to.deep.equal({ rows: [1, 2], hasMore: false });
    expect(Page.of([], 2)).to.deep.equal({ rows: [], hasMore: false });
  });

  for (const count of [0, 1, 100, 101, 200]) {
    it(`follows the one before until all ${count} of a collection have come, each once and in order`, async () => {
      const world = await aWorld();
      const made: string[] = [];
      for (let place = 0; place < count; place += 1) made.push((await world.product()).id);
      const met: string[] = [];
      await world.unitOfWork.read(async ({ products }) => {
        for await (const { id } of readAll(products, {})) met.push(id);
      });
      expect(met).to.deep.equal(made);
    });
  }
});
