import { expect } from 'chai';
import { outcomeOf } from '../load/wrk.ts';
import { median } from './statistics.ts';
import { table } from './table.ts';

describe('The figures of the benchmark', () => {
  it('have the middle one as their median, or what is between the two in the middle', () => {
    expect(median([9, 1, 5])).to.equal(5);
    expect(median([9, 1, 5, 6])).to.equal(5.5);
    expect(median([10, 2])).to.equal(6);
    expect(median([])).to.be.NaN;
  });

  it('come from the last line that wrk writes, in seconds and milliseconds', () => {
    const output = `Running 1s test @ http://127.0.0.1:1
Requests/sec:  2000.00

{"requests":4000,"microseconds":2000000,"refused":3,"failed":1,"p50":1500,"p99":20250}
`;
    expect(outcomeOf(output, 1)).to.deep.equal({
      requests: 4000,
      seconds: 2,
      errorResponses: 3,
      failed: 1,
      p50: 1.5,
      p99: 20.25,
      cpu: 1,
    });
  });

  it('stand below their heads', () => {
    expect(
      table([
        ['', 'a', 'ratio'],
        ['one', '10', '0.5'],
      ]),
    ).to.equal('      a  ratio\none  10    0.5');
  });
});
