import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { ClockWaits } from './idle.ts';

describe('A wait for the clock', () => {
  /** How long the event loop has been idle. */
  let idleMs: number;
  let waits: ClockWaits;
  beforeEach(() => {
    idleMs = 0;
    waits = new ClockWaits(() => () => idleMs);
  });
  afterEach(() => waits.stop());

  it('is idle time from the start of a timer to its end', async () => {
    idleMs = 20;
    const timer = sleep(1);
    idleMs = 80;
    await timer;
    expect(waits.longestMs).to.equal(60);
  });

  it('is the longest of several', async () => {
    for (const ms of [20, 80, 100]) {
      const timer = sleep(1);
      idleMs = ms;
      await timer;
    }
    expect(waits.longestMs).to.equal(60);
  });

  it('is one turn of an interval', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const interval = setInterval(() => {
      idleMs += 20;
      if (idleMs === 80) resolve();
    }, 1);
    await promise;
    clearInterval(interval);
    expect(waits.longestMs).to.equal(20);
  });

  it('is none for what goes on in the background', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    setTimeout(resolve, 1).unref();
    const stay = setInterval(() => undefined, 60_000);
    idleMs = 60;
    await promise;
    clearInterval(stay);
    expect(waits.longestMs).to.equal(0);
  });

  it('is not the time in which a file is read, and no timer that is cleared', async () => {
    const timer = setTimeout(() => undefined, 60_000);
    const file = readFile(import.meta.filename);
    idleMs = 60;
    await file;
    clearTimeout(timer);
    expect(waits.longestMs).to.equal(0);
  });

  it('counts from the beginning of each test', async () => {
    const timer = sleep(1);
    waits.begin();
    idleMs = 60;
    await timer;
    expect(waits.longestMs).to.equal(0);
  });
});
