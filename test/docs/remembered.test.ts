import { expect } from 'chai';
import { remembered } from '#adapters/support/lazy.ts';

describe('What the docs page remembers', () => {
  it('is read when it is first asked for, and once, however many ask meanwhile', async () => {
    let reads = 0;
    const find = remembered(async () => {
      reads += 1;
      return reads;
    });
    expect(reads).to.equal(0);
    expect(await Promise.all([find(), find()])).to.deep.equal([1, 1]);
    expect(await find()).to.equal(1);
  });

  it('is no failure: that is read again', async () => {
    let reads = 0;
    const find = remembered(async () => {
      reads += 1;
      if (reads === 1) throw new Error('Too many open files.');
      return reads;
    });
    const first = await find().catch((error: Error) => error.message);
    expect([first, await find(), await find()]).to.deep.equal(['Too many open files.', 2, 2]);
  });
});
