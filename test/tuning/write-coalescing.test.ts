import { setImmediate as endOfTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { endWithTurn } from '#adapters/http/request/response.ts';

describe('Write coalescing', () => {
  let written: string[];
  beforeEach(() => {
    written = [];
  });

  const complete = (...names: readonly string[]): void => {
    for (const name of names) endWithTurn({ end: (body) => written.push(`${body}`) }, name);
  };

  it('writes a full batch of 64 at once, and the rest at the end of the turn', async () => {
    for (let count = 1; count < 64; count += 1) complete('one of many');
    expect(written).to.deep.equal([]);
    complete('the last of many', 'one more');
    expect(written).to.have.lengthOf(64);
    await endOfTurn();
    expect(written.at(-1)).to.equal('one more');
  });
});
