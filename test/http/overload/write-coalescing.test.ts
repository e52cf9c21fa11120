import { setImmediate as endOfTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { leaveTogether } from '#adapters/http/server/coalescing/write-coalescing.ts';

describe('Answers that are made', () => {
  let left: string[];
  beforeEach(() => {
    left = [];
  });

  const make = (...names: readonly string[]): void => {
    for (const name of names) leaveTogether({ leave: () => left.push(name) });
  };

  it('leave together at the end of a turn where there were several in the last', async () => {
    make('a', 'b');
    await endOfTurn();
    left = [];
    make('c', 'd');
    expect(left).to.deep.equal([]);
    await endOfTurn();
    expect(left).to.deep.equal(['c', 'd']);
  });

  it('leave at once where there was one only, and together again when more come', async () => {
    make('a');
    await endOfTurn();
    left = [];
    make('b');
    expect(left).to.deep.equal(['b']);
    await endOfTurn();
    make('c', 'd');
    expect(left).to.deep.equal(['b', 'c']);
    await endOfTurn();
    expect(left).to.deep.equal(['b', 'c', 'd']);
    make('e');
    expect(left).to.have.lengthOf(3);
    await endOfTurn();
    expect(left).to.deep.equal(['b', 'c', 'd', 'e']);
  });

  it('leave as soon as there are 64 of them, and those behind them at the end of the turn', async () => {
    make('a', 'b');
    await endOfTurn();
    left = [];
    for (let count = 1; count < 64; count += 1) make('one of many');
    expect(left).to.deep.equal([]);
    make('the last of many', 'one more');
    expect(left).to.have.lengthOf(64);
    await endOfTurn();
    expect(left.at(-1)).to.equal('one more');
  });
});
