import { expect } from 'chai';
import { noticedWithin } from '../faults/faults.ts';
import { feedFaults, noticeInFeed, playFeed } from './feed-faults.ts';

describe('The simulated feed', () => {
  it('shows each event once and in order, and each receiver gets it at least once', async () => {
    expect(await playFeed({ first: 1, count: 300 })).to.deep.equal([]);
  });

  for (const [name, fault] of Object.entries(feedFaults))
    it(`notices ${name}`, async () => {
      expect(await noticeInFeed(fault, noticedWithin)).not.to.equal(undefined);
    });
});
