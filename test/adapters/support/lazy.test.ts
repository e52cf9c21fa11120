import { expect } from 'chai';
import { memoizeAsync } from '#adapters/support/lazy.ts';

describe('A memoized asynchronous function', () => {
  it('runs at the first call, and once for all concurrent and later calls', async () => {
    let runs = 0;
    const find = memoizeAsync(async () => {
      runs += 1;
      return runs;
    });
    expect(runs).to.equal(0);
    expect(await Promise.all([find(), find()])).to.deep.equal([1, 1]);
    expect(await find()).to.equal(1);
  });

  it('runs again after a rejection', async () => {
    let runs = 0;
    const find = memoizeAsync(async () => {
      runs += 1;
      if (runs === 1) throw new Error('Too many open files.');
      return runs;
    });
    const first = await find().catch((error: Error) => error.message);
    expect([first, await find(), await find()]).to.deep.equal(['Too many open files.', 2, 2]);
  });
});
