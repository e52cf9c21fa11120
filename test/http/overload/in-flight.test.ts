import { expect } from 'chai';
import { SwapRemoveSet } from '#adapters/http/request/in-flight.ts';

describe('A swap-remove set', () => {
  it('holds what was added and not removed, in whatever order entries are removed', () => {
    const set = new SwapRemoveSet<number>();
    const entries = Array.from({ length: 100 }, (_, number) => set.add(number));
    for (const [number, entry] of entries.entries()) if (number % 3 !== 0) set.remove(entry);
    const left = entries.flatMap(({ value }) => (value % 3 === 0 ? [value] : []));
    expect([...set.values].sort((one, other) => one - other)).to.deep.equal(left);
    expect(set.size).to.equal(left.length);
    for (const entry of entries.toReversed()) set.remove(entry);
    expect(set.values).to.deep.equal([]);
  });

  it('ignores the second removal of an entry', () => {
    const set = new SwapRemoveSet<string>();
    const first = set.add('first');
    set.add('second');
    set.remove(first);
    set.remove(first);
    expect(set.values).to.deep.equal(['second']);
  });
});
