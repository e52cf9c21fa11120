import { expect } from 'chai';
import type { StoreKindName } from '#bootstrap/config/store-kinds.ts';
import { productOf } from '../support/test-databases.ts';
import { measureCosts } from './measure.ts';
import { complaint, differences, readTable } from './table.ts';

/** Requires that operations cost what the table says. */
export const describeCosts = (kind: StoreKindName): void => {
  describe(`The table of costs (${productOf(kind)})`, function () {
    this.timeout(300_000);

    it('says what each operation costs', async () => {
      const changed = differences(await readTable(kind), await measureCosts(kind));
      expect(changed, complaint(kind, changed)).to.deep.equal([]);
    });
  });
};
