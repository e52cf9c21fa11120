import { expect } from 'chai';
import { outcomeOf } from './wrk.ts';

describe('The figures of wrk', () => {
  it('come from the last line that it writes, in seconds and milliseconds', () => {
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
});
