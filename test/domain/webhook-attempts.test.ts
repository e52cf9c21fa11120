import { expect } from 'chai';
import fc from 'fast-check';
import { Instant } from '#domain/instant.ts';
import { maxRetryAfterMs, WebhookAttempts, webhookOrderings } from '#domain/webhooks/attempts.ts';

const hours = 3_600_000;

const randomNumber = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const failedAttempt = fc.record({
  ordering: fc.constantFrom(...webhookOrderings),
  attemptCount: fc.integer({ min: 1, max: 40 }),
  retryAfterMs: fc.option(fc.integer({ min: 0, max: 100 * hours }), { nil: undefined }),
});

/** The delays in seconds after the attempts 1, 2, ..., without jitter. */
const delays = (ordering: 'parallel' | 'sequential', attempts: number): (number | undefined)[] =>
  Array.from({ length: attempts }, (_, index) => {
    const delayMs = WebhookAttempts.delayAfter({ ordering, attemptCount: index + 1 }, 0);
    return delayMs === undefined ? undefined : delayMs / 1_000;
  });

describe('The attempts of a delivery', () => {
  it('come after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h to a parallel endpoint, and then end', () => {
    const expected = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400, undefined, undefined];
    expect(delays('parallel', 11)).to.deep.equal(expected);
    expect(WebhookAttempts.maxParallel).to.equal(10);
  });

  it('come after 1, 5, 30, 60 and 300 s to a sequential endpoint, and then every 300 s without an end', () => {
    expect(delays('sequential', 7)).to.deep.equal([1, 5, 30, 60, 300, 300, 300]);
    expect(WebhookAttempts.delayAfter({ ordering: 'sequential', attemptCount: 100_000 }, 0.5)).to.equal(
      300_000,
    );
  });

  it('to a parallel endpoint come up to 10 % later by chance, and never sooner', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), randomNumber, (attemptCount, random) => {
        const [least, delayMs] = [0, random].map((number) =>
          WebhookAttempts.delayAfter({ ordering: 'parallel', attemptCount }, number),
        ) as [number, number];
        expect(delayMs).to.be.within(least, least * 1.1);
        expect(delayMs - least).to.be.closeTo(least * 0.1 * random, 1);
      }),
    );
  });

  it('wait for as long as the receiver asks, up to an hour, and never less than without that', () => {
    fc.assert(
      fc.property(failedAttempt, randomNumber, (attempt, random) => {
        const own = WebhookAttempts.delayAfter({ ...attempt, retryAfterMs: undefined }, random);
        const delayMs = WebhookAttempts.delayAfter(attempt, random);
        const asked = Math.min(attempt.retryAfterMs ?? 0, maxRetryAfterMs);
        expect(delayMs).to.equal(own === undefined ? undefined : Math.max(own, asked));
      }),
    );
    expect(maxRetryAfterMs).to.equal(hours);
  });

  it('never come later than the latest plausible one, and the first comes at once', () => {
    fc.assert(
      fc.property(failedAttempt, randomNumber, (attempt, random) => {
        const longest = WebhookAttempts.maxDelayAfter(attempt.ordering, attempt.attemptCount);
        expect(WebhookAttempts.delayAfter(attempt, random) ?? 0).to.be.at.most(longest);
        expect(longest).to.be.at.most(26.4 * hours);
      }),
    );
    expect(WebhookAttempts.maxDelayAfter('parallel', 0)).to.equal(0);
    expect(WebhookAttempts.maxDelayAfter('parallel', 8)).to.equal(22 * hours);
    expect(WebhookAttempts.maxDelayAfter('sequential', 8)).to.equal(hours);
  });

  it('are whole milliseconds, so that they can be added to a time', () => {
    fc.assert(
      fc.property(failedAttempt, randomNumber, (attempt, random) => {
        const delayMs = WebhookAttempts.delayAfter(attempt, random);
        if (delayMs !== undefined) expect(Number.isSafeInteger(delayMs) && delayMs >= 1_000).to.equal(true);
      }),
    );
  });
});

describe('The attempts to an endpoint', () => {
  it('are one a minute after ten failures in a row, and not limited before', () => {
    expect([0, 1, 9].map(WebhookAttempts.intervalAfter)).to.deep.equal([0, 0, 0]);
    expect([10, 11, 1_000].map(WebhookAttempts.intervalAfter)).to.deep.equal([60_000, 60_000, 60_000]);
  });

  it('end once it has failed for longer than the limit', () => {
    const since = Instant.at(Date.parse('2026-03-01T12:00:00Z'));
    const later = (hoursLater: number, more = 0) => Instant.plus(since, hoursLater * hours + more);
    expect(WebhookAttempts.isAbandoned(since, later(120, -1), 120)).to.equal(false);
    expect(WebhookAttempts.isAbandoned(since, later(120), 120)).to.equal(true);
    expect(WebhookAttempts.isAbandoned(since, later(1), 1)).to.equal(true);
    expect(WebhookAttempts.isAbandoned(null, later(1_000), 1)).to.equal(false);
  });
});
