import { expect } from 'chai';
import { searchFromRecorded } from '../faults/search.ts';
import { feedFaults, playFeed } from './feed-faults.ts';

describe('The simulated feed', () => {
  it('shows each event once and in order, and each receiver gets it at least once', async () => {
    expect(await playFeed({ first: 1, count: 300 })).to.deep.equal([]);
  });

  for (const [name, fault] of Object.entries(feedFaults))
    it(`notices ${name}`, async () => {
      expect(await searchFromRecorded(name, fault)).to.have.property('problem');
    });
});
