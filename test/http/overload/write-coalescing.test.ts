import { expect } from 'chai';
import { endWithTurn } from '#adapters/http/request/response.ts';
import { endOfTurn } from '#adapters/support/time.ts';

describe('Write coalescing', () => {
  let written: string[];
  beforeEach(() => {
    written = [];
  });

  const complete = (...names: readonly string[]): void => {
    for (const name of names) endWithTurn({ end: (body) => written.push(`${body}`) }, name);
  };

  it('writes the responses of one turn together at its end', async () => {
    for (const turn of [['a', 'b'], ['c', 'd'], ['e']]) {
      written = [];
      complete(...turn);
      expect(written).to.deep.equal([]);
      await endOfTurn();
      expect(written).to.deep.equal(turn);
    }
  });

  it('writes a single response at the end of its turn, also where the last turn had one only', async () => {
    for (const name of ['a', 'b']) {
      written = [];
      complete(name);
      expect(written).to.deep.equal([]);
      await endOfTurn();
      expect(written).to.deep.equal([name]);
    }
  });

  it('writes a full batch of 64 at once, and the rest at the end of the turn', async () => {
    for (let count = 1; count < 64; count += 1) complete('one of many');
    expect(written).to.deep.equal([]);
    complete('the last of many', 'one more');
    expect(written).to.have.lengthOf(64);
    await endOfTurn();
    expect(written.at(-1)).to.equal('one more');
  });
});
