import { expect } from 'chai';
import { endOfTurn, sleep } from '#adapters/support/time.ts';
import { rejectionOf } from '../../contracts/harness.ts';
import { ofEachTest } from '../../support/of-each-test.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';

describe('A wait', () => {
  const time = ofEachTest(() => new SimulatedTime());

  it('ends after its milliseconds, and not before', async () => {
    let hasEnded = false;
    void sleep(10_000).then(() => {
      hasEnded = true;
    });
    await time.pass(9_900);
    expect(hasEnded).to.equal(false);
    await time.pass(200);
    expect(hasEnded).to.equal(true);
  });

  it('ends with the reason of its signal when that is aborted', async () => {
    const stop = new AbortController();
    const wait = rejectionOf(sleep(10_000, { signal: stop.signal }));
    const reason = new Error('No longer needed.');
    stop.abort(reason);
    expect(await wait).to.equal(reason);
  });

  it('does not begin when its signal is aborted already', async () => {
    const reason = new Error('Over.');
    expect(await rejectionOf(sleep(1, { signal: AbortSignal.abort(reason) }))).to.equal(reason);
  });

  it('leaves no listener on a signal that outlives it', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const counted: Pick<AbortSignal, 'addEventListener' | 'removeEventListener'> = {
      addEventListener: () => {
        listeners += 1;
      },
      removeEventListener: () => {
        listeners -= 1;
      },
    };
    const wait = sleep(10, { signal: Object.assign(signal, counted) });
    expect(listeners).to.equal(1);
    await time.pass(20);
    await wait;
    expect(listeners).to.equal(0);
  });

  it('of a turn lets what is ready run first', async () => {
    const order: string[] = [];
    setImmediate(() => order.push('ready'));
    await endOfTurn();
    order.push('after');
    expect(order).to.deep.equal(['ready', 'after']);
  });
});
