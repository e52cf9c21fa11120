import { expect } from 'chai';
import { latestCommitStart, noDeadline } from '#adapters/persistence/retry.ts';
import { ofEachTest } from '../../support/of-each-test.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';

describe('The latest time to begin a commit', () => {
  const time = ofEachTest(() => new SimulatedTime());

  it('is a quarter of a second before the deadline', () => {
    expect(latestCommitStart(time.now + 10_000)).to.equal(time.now + 9_750);
    expect(latestCommitStart(time.now + 1_000)).to.equal(time.now + 750);
  });

  it('leaves three quarters of the time where less than a second is left', () => {
    expect(latestCommitStart(time.now + 400)).to.equal(time.now + 300);
  });

  it('is never without a deadline', () => {
    expect(latestCommitStart(noDeadline)).to.equal(noDeadline);
  });
});
