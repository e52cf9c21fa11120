import { expect } from 'chai';
import * as fc from 'fast-check';
import {
  isGivenUp,
  nextReconciliationAt,
  retryDelayMs,
  type WaitingStatus,
} from '#application/payments/reconciliation-delays.ts';
import { Instant } from '#domain/instant.ts';
import { later, noon } from '#test/contracts/samples.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** The first times of a schedule, in seconds after noon, when each attempt is made at its time. */
const timesOf = (status: WaitingStatus, count: number): readonly number[] => {
  const times: number[] = [];
  let now = noon;
  while (times.length < count) {
    now = nextReconciliationAt(status, noon, now) ?? expect.fail('It waited too long.');
    times.push((Instant.milliseconds(now) - Instant.milliseconds(noon)) / second);
  }
  return times;
};

describe('The schedule of reconciliation', () => {
  it('retrieves 5, 15, 30 and 60 s after a payment has begun to wait for its payer, and every 60 s from then on', () => {
    expect(timesOf('requires_action', 7)).to.deep.equal([5, 15, 30, 60, 120, 180, 240]);
  });

  it('retrieves every 10 minutes for an hour while a provider decides, and hourly then', () => {
    const inMinutes = timesOf('processing', 9).map((seconds) => seconds / 60);
    expect(inMinutes).to.deep.equal([10, 20, 30, 40, 50, 60, 120, 180, 240]);
  });

  it('ends after 21 days', () => {
    for (const status of ['requires_action', 'processing'] as const) {
      expect(nextReconciliationAt(status, noon, later(21 * day - 1))).to.equal(later(21 * day));
      expect(nextReconciliationAt(status, noon, later(21 * day))).to.equal(undefined);
    }
  });

  it('retrieves at the next time of the schedule after an attempt that was late, and never in the past', () => {
    expect(nextReconciliationAt('requires_action', noon, later(20 * second))).to.equal(later(30 * second));
    expect(nextReconciliationAt('processing', noon, later(61 * minute))).to.equal(later(2 * hour));
    const waited = fc.integer({ min: 0, max: 21 * day - 1 });
    fc.assert(
      fc.property(fc.constantFrom('requires_action', 'processing'), waited, (status, ms) => {
        const next = nextReconciliationAt(status as WaitingStatus, noon, later(ms));
        return next !== undefined && next > later(ms) && next <= later(ms + hour);
      }),
    );
  });

  it('begins anew when the clock was set back', () => {
    expect(nextReconciliationAt('requires_action', noon, later(-hour))).to.equal(later(5 * second));
  });

  it('retries 5, 30, 120 and 600 s after attempts that failed, and hourly then', () => {
    const noted = { events: 1, createdAt: noon };
    const delays = [1, 2, 3, 4, 5, 6, 76].map(
      (attempts) => retryDelayMs({ ...noted, attempts }, noon) / second,
    );
    expect(delays).to.deep.equal([5, 30, 120, 600, 3600, 3600, 3600]);
  });

  it('retrieves every ten minutes at least within the first hour of a payment that waits, however often it was read', () => {
    const followed = { events: 0, createdAt: noon, attempts: 200 };
    expect(retryDelayMs(followed, later(hour - 1))).to.equal(10 * minute);
    expect(retryDelayMs(followed, later(hour))).to.equal(hour);
    expect(retryDelayMs({ ...followed, attempts: 1 }, noon)).to.equal(5 * second);
  });

  it('gives a task up that an event has named after three days of hourly attempts', () => {
    const noted = { events: 1, createdAt: noon };
    expect(isGivenUp({ ...noted, attempts: 75 }, later(9 * day))).to.equal(false);
    expect(isGivenUp({ ...noted, attempts: 76 }, later(3 * day))).to.equal(true);
    expect(isGivenUp({ ...noted, attempts: 400 }, later(3 * day - 1))).to.equal(false);
  });

  it('gives a payment that waits without events up after 21 days', () => {
    const followed = { events: 0, createdAt: noon, attempts: 400 };
    expect(isGivenUp(followed, later(21 * day - 1))).to.equal(false);
    expect(isGivenUp(followed, later(21 * day))).to.equal(true);
  });
});
