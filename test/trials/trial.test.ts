import { expect } from 'chai';
import { isJudged } from './trial.ts';

const finding = { expected: 'nothing is lost', seen: '0 lost', held: true };

describe('A finding of a trial', () => {
  it('is judged whatever else the machine does, unless it looks at the clock', () => {
    expect(isJudged(finding, false)).to.equal(true);
    expect(isJudged({ ...finding, isTimed: true }, false)).to.equal(false);
    expect(isJudged({ ...finding, isTimed: true }, true)).to.equal(true);
  });
});
