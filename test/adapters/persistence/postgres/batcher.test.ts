import { setImmediate as endOfTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { createBatcher } from '#adapters/persistence/postgres/read-coalescing/batcher.ts';

describe('A batcher', () => {
  /** The batches that were sent, and what completes each. */
  let requested: {
    readonly questions: readonly string[];
    readonly answering: PromiseWithResolvers<string>;
  }[];
  let ask: (question: string) => Promise<string>;
  beforeEach(() => {
    requested = [];
    ask = createBatcher((questions) => {
      const answering = Promise.withResolvers<string>();
      requested.push({ questions, answering });
      return answering.promise;
    });
  });

  const together = () => requested.map(({ questions }) => questions.join(' '));

  it('sends the calls that arrive during a batch as the next one, once that batch has completed', async () => {
    const first = ask('a');
    await endOfTurn();
    const others = [ask('b')];
    await endOfTurn();
    others.push(ask('c'));
    await endOfTurn();
    expect(together()).to.deep.equal(['a']);
    requested[0]?.answering.resolve('one');
    expect(await first).to.equal('one');
    await endOfTurn();
    expect(together()).to.deep.equal(['a', 'b c']);
    requested[1]?.answering.resolve('two');
    expect(await Promise.all(others)).to.deep.equal(['two', 'two']);
  });

  it('sends a call at once after a batch of one, and the calls behind it in the same turn as the next batch', async () => {
    void ask('a');
    await endOfTurn();
    requested[0]?.answering.resolve('one');
    await endOfTurn();
    const second = ask('b');
    await Promise.resolve();
    expect(together()).to.deep.equal(['a', 'b']);
    const others = [ask('c'), ask('d')];
    requested[1]?.answering.resolve('two');
    expect(await second).to.equal('two');
    await endOfTurn();
    expect(together()).to.deep.equal(['a', 'b', 'c d']);
    requested[2]?.answering.resolve('three');
    expect(await Promise.all(others)).to.deep.equal(['three', 'three']);
    void ask('e');
    await Promise.resolve();
    expect(together()).to.have.lengthOf(3);
  });

  it('sends the next batch although the one before it takes long', async () => {
    void ask('a');
    await endOfTurn();
    const second = ask('b');
    while (requested.length < 2) await endOfTurn();
    requested[1]?.answering.resolve('two');
    expect(await second).to.equal('two');
  });

  it('sends the next batch after the one before it has failed', async () => {
    const first = ask('a').catch((error: Error) => error.message);
    await endOfTurn();
    const second = ask('b');
    requested[0]?.answering.reject(new Error('no'));
    expect(await first).to.equal('no');
    await endOfTurn();
    requested[1]?.answering.resolve('two');
    expect(await second).to.equal('two');
    expect(together()).to.deep.equal(['a', 'b']);
  });
});
