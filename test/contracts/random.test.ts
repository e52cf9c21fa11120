import { expect } from 'chai';
import * as fc from 'fast-check';
import { rejectionOf } from './harness.ts';
import { assertRandomly } from './random.ts';

describe('A property of random values', () => {
  it('is tried with every value, even when no time is left to shrink one', async () => {
    let tried = 0;
    const passing = fc.asyncProperty(fc.nat(), async () => {
      tried += 1;
    });
    await assertRandomly(passing, 20, [], 0);
    expect(tried).to.equal(20);
  });

  it('reports the smallest value that breaks it, and the seed that repeats it', async () => {
    const small = fc.asyncProperty(fc.nat(1_000), async (value) => {
      expect(value).to.be.below(100);
    });
    const error = String(await rejectionOf(assertRandomly(small, 50)));
    expect(error).to.contain('Repeat this with TEST_SEED=').and.contain('Counterexample: [100]');
  });
});
