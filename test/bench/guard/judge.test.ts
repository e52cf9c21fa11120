import { expect } from 'chai';
import { lineOf, maxRatio, ratioOf } from './judge.ts';

const rounds = (...now: readonly number[]) => now.map((each) => ({ before: 100, now: each }));

describe('The guard of the benchmark', () => {
  it('takes the median of the rounds, so that one disturbed round changes nothing', () => {
    expect(ratioOf(rounds(101, 99, 500))).to.equal(1.01);
    expect(ratioOf(rounds(120, 120, 90))).to.equal(1.2);
  });

  it('compares each round with the one beside it, whose machine was as busy', () => {
    const busier = [100, 200, 300].map((before) => ({ before, now: 1.05 * before }));
    expect(ratioOf(busier)).to.be.closeTo(1.05, 1e-9);
  });

  it('names what takes more than a tenth longer', () => {
    expect(lineOf('an order', rounds(100 * maxRatio))).to.match(/^ok {6}an order: 110 µs/);
    expect(lineOf('an order', rounds(111))).to.match(/^SLOWER {2}an order: 111 µs .* 100 before \(1\.11\)$/);
  });
});
