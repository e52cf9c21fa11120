import { mock } from 'node:test';
import { expect } from 'chai';
import { Clock } from './clock.ts';

describe('The clock of the Stripe-like server', () => {
  afterEach(() => {
    mock.timers.reset();
    mock.restoreAll();
  });

  it('runs a task whose timer fires a millisecond before its time by the clock', () => {
    let now = Date.UTC(2027, 0, 1);
    mock.method(Date, 'now', () => now);
    mock.timers.enable({ apis: ['setTimeout'] });
    let isRun = false;
    new Clock().after(10, () => {
      isRun = true;
    });
    now += 9;
    mock.timers.tick(10);
    expect(isRun).to.equal(true);
  });

  it('runs tasks in the order of their times when it is moved, and each at its own time', () => {
    const clock = new Clock();
    const begun = clock.now();
    const runAt: [string, number][] = [];
    const hour = 3_600_000;
    clock.after(2 * hour, () => runAt.push(['second', clock.now() - begun]));
    clock.after(hour, () => {
      runAt.push(['first', clock.now() - begun]);
      clock.after(2 * hour, () => runAt.push(['third', clock.now() - begun]));
    });
    clock.advance(4 * hour);
    expect(runAt.map(([name]) => name)).to.deep.equal(['first', 'second', 'third']);
    expect(runAt.map(([, at]) => Math.floor(at / hour))).to.deep.equal([1, 2, 3]);
  });

  it('has settled only when what its tasks have started has ended', async () => {
    const clock = new Clock();
    const delivered = Promise.withResolvers<void>();
    let hasSettled = false;
    clock.after(0, () => delivered.promise.then(() => clock.after(0, () => undefined)));
    const settled = clock.settle().then(() => {
      hasSettled = true;
    });
    await new Promise(setImmediate);
    expect(hasSettled).to.equal(false);
    delivered.resolve();
    await settled;
  });
});
