import { expect } from 'chai';
import { collectionNames } from '#application/ports/repositories.ts';
import { partOf } from './every-collection.ts';
import { aFullPurchase, aPurchase } from './samples.ts';

describe('The samples of the suites', () => {
  for (const collection of collectionNames) {
    it(`have a value in every field of ${collection}, and both values of each boolean`, () => {
      const samples = [aPurchase(), aFullPurchase()].map((each) => Object.entries(partOf(each, collection)));
      const valuesOf = Map.groupBy(samples.flat(), ([field]) => field);
      for (const [field, entries] of valuesOf) {
        const values = new Set(entries.map(([, value]) => value));
        expect(values.size > 1 || !values.has(null), field).to.equal(true);
        if (values.has(true) || values.has(false)) expect([...values], field).to.have.members([true, false]);
      }
    });
  }
});
