import { expect } from 'chai';
import { Crowd } from '#adapters/support/swap-remove-set.ts';

describe('A crowd', () => {
  it('is whoever came and has not left, in whatever order they leave', () => {
    const crowd = new Crowd<number>();
    const members = Array.from({ length: 100 }, (_, number) => crowd.add(number));
    for (const [number, member] of members.entries()) if (number % 3 !== 0) crowd.remove(member);
    const left = members.flatMap(({ of }) => (of % 3 === 0 ? [of] : []));
    expect([...crowd.all].sort((one, other) => one - other)).to.deep.equal(left);
    expect(crowd.size).to.equal(left.length);
    for (const member of members.toReversed()) crowd.remove(member);
    expect(crowd.all).to.deep.equal([]);
  });

  it('takes no notice of whoever leaves twice', () => {
    const crowd = new Crowd<string>();
    const first = crowd.add('first');
    crowd.add('second');
    crowd.remove(first);
    crowd.remove(first);
    expect(crowd.all).to.deep.equal(['second']);
  });
});
