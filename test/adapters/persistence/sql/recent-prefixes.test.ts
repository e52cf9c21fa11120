import { expect } from 'chai';
import { RecentPrefixes } from '#adapters/persistence/sql/search/recent-prefixes.ts';

describe('The recent prefixes of searches', () => {
  it('know a text for half a minute', () => {
    const prefixes = new RecentPrefixes();
    prefixes.add('gre', 1_000);
    expect(prefixes.has('gre', 30_999)).to.equal(true);
    expect(prefixes.has('gre', 31_000)).to.equal(false);
    expect(prefixes.has('green', 1_000)).to.equal(false);
  });

  it('know the latest thousand texts', () => {
    const prefixes = new RecentPrefixes();
    for (let index = 0; index <= 1_000; index += 1) prefixes.add(`text${index}`, 0);
    prefixes.add('text1', 0);
    prefixes.add('another', 0);
    const known = ['text0', 'text1', 'text2', 'text3', 'another'].filter((text) => prefixes.has(text, 0));
    expect(known).to.deep.equal(['text1', 'text3', 'another']);
  });
});
