import { expect } from 'chai';
import { resultLine, table } from './report.ts';
import { median } from './statistics.ts';

describe('The figures of a report', () => {
  it('have the middle one as their median, or what is between the two in the middle', () => {
    expect(median([9, 1, 5])).to.equal(5);
    expect(median([9, 1, 5, 6])).to.equal(5.5);
    expect(median([10, 2])).to.equal(6);
    expect(median([])).to.be.NaN;
  });

  it('stand below their heads', () => {
    expect(
      table([
        ['', 'a', 'ratio'],
        ['one', '10', '0.5'],
      ]),
    ).to.equal('      a  ratio\none  10    0.5');
  });

  it('follow a verdict and what it is about, which begins in the same column in each line', () => {
    const lines = [resultLine('held', 'nothing is lost', '0 lost'), resultLine('UNNOTICED', 'a fault')];
    expect(lines).to.deep.equal(['held       nothing is lost: 0 lost', 'UNNOTICED  a fault']);
  });
});
