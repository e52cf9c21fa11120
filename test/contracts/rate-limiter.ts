import { expect } from 'chai';
import fc from 'fast-check';
import { sleep } from '#adapters/support/time.ts';
import type { Allowance, RateLimiter } from '#application/ports/rate-limiter.ts';
import type { ApiKeyId } from '#domain/api-key.ts';
import { newId } from '../support/machine.ts';
import { testSeed } from '../support/seed.ts';
import { atOnce, mocha } from './harness.ts';

export interface LimitOptions {
  readonly limit: number;
  readonly windowMilliseconds: number;
}

/** Where limiters count together, or the one that there is counts alone. */
export interface OpenLimiter {
  /** @param lag how far its idea of the time lies behind, in milliseconds */
  limiter(limiting: LimitOptions, lag?: number): RateLimiter & { close?(): Promise<void> };
  /** Lets so many milliseconds pass on a clock of its own. Undefined where limiters use the machine's clock. */
  pass?(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

const minute = 60_000;
const key = () => newId<ApiKeyId>();

/** @param count how many limiters can count together */
export const describeRateLimiter = (
  adapter: string,
  open: () => Promise<OpenLimiter>,
  count: number,
  runner = mocha(),
) =>
  runner.describe(`${adapter}: the rate limiter`, () => {
    const { it, before, after } = runner;
    let counting: OpenLimiter;
    const opened: { close?(): Promise<void> }[] = [];
    before(async () => {
      counting = await open();
    });
    after(async () => {
      await Promise.all(opened.map((limiter) => limiter.close?.()));
      await counting.close();
    });

    const limiters = (limiting: LimitOptions, lags: readonly number[] = []): readonly RateLimiter[] => {
      const made = Array.from({ length: count }, (_, index) => counting.limiter(limiting, lags[index]));
      opened.push(...made);
      return made;
    };
    const pass = (milliseconds: number) => counting.pass?.(milliseconds) ?? sleep(milliseconds);
    const one = (limiting: LimitOptions): RateLimiter => limiters(limiting)[0] ?? expect.fail();

    it('allows exactly the limit, and counts it down without a gap', async () => {
      for (const limit of [1, 2, 7, 600]) {
        const limiter = one({ limit, windowMilliseconds: minute });
        const caller = key();
        for (let left = limit - 1; left >= 0; left -= 1) {
          expect(await limiter.consume(caller)).to.deep.include({ allowed: true, limit, remaining: left });
        }
        for (const _ of [1, 2, 3]) {
          expect(await limiter.consume(caller)).to.deep.include({ allowed: false, limit, remaining: 0 });
        }
      }
    });

    it('allows exactly the limit of many concurrent requests, each with another remaining number', async () => {
      const limiter = one({ limit: 100, windowMilliseconds: minute });
      const caller = key();
      const reported = await Promise.all(atOnce(150, async () => limiter.consume(caller)));
      const remaining = reported.filter(({ allowed }) => allowed).map((allowance) => allowance.remaining);
      expect(remaining.toSorted((a, b) => b - a)).to.deep.equal(
        Array.from({ length: 100 }, (_, i) => 99 - i),
      );
    });

    it('gives a key the limit that comes with its requests', async () => {
      const limiter = one({ limit: 5, windowMilliseconds: minute });
      for (const limit of [1, 3, 40]) {
        const caller = key();
        for (let left = limit - 1; left >= 0; left -= 1) {
          expect(await limiter.consume(caller, limit)).to.deep.include({
            allowed: true,
            limit,
            remaining: left,
          });
        }
        expect(await limiter.consume(caller, limit)).to.deep.include({ allowed: false, limit, remaining: 0 });
      }
      expect(await limiter.consume(key())).to.deep.include({ allowed: true, limit: 5, remaining: 4 });
    });

    it('applies another limit in an open window, in which what was allowed before counts', async () => {
      const limiter = one({ limit: 400, windowMilliseconds: minute });
      const caller = key();
      const allowedOf = async (requests: number, limit?: number): Promise<number> => {
        let allowed = 0;
        for (let count = 0; count < requests; count += 1) {
          const allowance = await limiter.consume(caller, limit);
          expect(allowance.limit).to.equal(limit ?? 400);
          if (allowance.allowed) allowed += 1;
        }
        return allowed;
      };
      expect(await allowedOf(30)).to.equal(30);
      expect(await allowedOf(5, 20)).to.equal(0);
      expect(await allowedOf(20, 42)).to.equal(12);
      expect(await allowedOf(5, 30)).to.equal(0);
      expect(await allowedOf(20, 50)).to.equal(8);
      expect(await allowedOf(20)).to.equal(20);
    });

    it('never allows more than a limit that changes, over all processes', async () => {
      const burst = fc.record({
        limit: fc.integer({ min: 1, max: 60 }),
        by: fc.array(fc.nat(count - 1), { minLength: 1, maxLength: 15 }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(burst, { minLength: 6, maxLength: 6 }), async (bursts) => {
          const all = limiters({ limit: 60, windowMilliseconds: minute });
          const caller = key();
          let allowed = 0;
          for (const { limit, by } of bursts) {
            const reported = await Promise.all(by.map(async (index) => all[index]?.consume(caller, limit)));
            const now = reported.filter((allowance) => allowance?.allowed).length;
            expect(now).to.be.most(Math.max(0, limit - allowed));
            allowed += now;
          }
        }),
        { numRuns: 3, seed: testSeed(), endOnFailure: true },
      );
    }, 60_000);

    it('has one window end for all its requests', async () => {
      const all = limiters({ limit: 30, windowMilliseconds: minute });
      const caller = key();
      const reported = await Promise.all(atOnce(20, async (i) => all[i % count]?.consume(caller)));
      expect(new Set(reported.map((allowance) => allowance?.resetAt)).size).to.equal(1);
    });

    it('tells no client to wait longer than a window, although its clock is late', async () => {
      const [limiter = expect.fail()] = limiters({ limit: 1, windowMilliseconds: minute }, [500]);
      const caller = key();
      for (const _ of [1, 2, 3]) {
        expect((await limiter.consume(caller)).wait).to.be.within(minute - 5_000, minute);
      }
    });

    it('opens a whole window after the previous one has ended', async () => {
      const windowMilliseconds = 120;
      const limiter = one({ limit: 5, windowMilliseconds });
      const caller = key();
      const spend = async () => (await Promise.all(atOnce(9, async () => limiter.consume(caller)))).at(0);
      const first = await spend();
      let next = await limiter.consume(caller);
      // On the clock of a machine a request may be late, but not by many windows.
      const latest = windowMilliseconds * (counting.pass === undefined ? 40 : 1);
      for (let passed = 0; passed < latest && !next.allowed; passed += 30) {
        await pass(30);
        next = await limiter.consume(caller);
      }
      expect(next).to.deep.include({ allowed: true, remaining: 4 });
      expect(next.resetAt).to.be.least((first?.resetAt ?? 0) + windowMilliseconds);
    });

    it('counts each key separately', async () => {
      const limiter = one({ limit: 3, windowMilliseconds: minute });
      const callers = Array.from({ length: 200 }, key);
      const reported = await Promise.all(
        [...callers, ...callers].map(async (caller) => (await limiter.consume(caller)).remaining),
      );
      expect(reported).to.deep.equal([...callers.map(() => 2), ...callers.map(() => 1)]);
    });

    it('allows the whole limit to a client that alternates between processes, and no more', async () => {
      const limit = 24;
      const all = limiters({ limit, windowMilliseconds: minute });
      const caller = key();
      let allowed = 0;
      for (let index = 0; index < limit; index += 1) {
        const allowance = await all[index % count]?.consume(caller);
        if (allowance?.allowed) allowed += 1;
      }
      expect(allowed).to.equal(limit);
      for (const limiter of all) expect((await limiter.consume(caller)).allowed).to.equal(false);
    });

    it('allows the whole limit to one process after another has returned its unused lease', async () => {
      const limit = 200;
      const [first, ...others] = limiters({ limit, windowMilliseconds: minute });
      const caller = key();
      await Promise.all(others.flatMap((other) => atOnce(10, async () => other.consume(caller))));
      const reported = await Promise.all(atOnce(limit, async () => first?.consume(caller)));
      const expected = limit - 10 * others.length;
      expect(reported.filter((allowance) => allowance?.allowed)).to.have.lengthOf(expected);
    });

    it('never allows more than the limit in a window, over all processes, times and clocks', async () => {
      const limiting = { limit: 13, windowMilliseconds: 100 };
      const burst = fc.record({
        by: fc.nat(count - 1),
        requests: fc.integer({ min: 1, max: 12 }),
        after: fc.integer({ min: 0, max: 40 }),
      });
      const bursts = fc.array(burst, { minLength: 5, maxLength: 15 });
      const lags = fc.array(fc.integer({ min: -30, max: 30 }), { minLength: count, maxLength: count });
      await fc.assert(
        fc.asyncProperty(bursts, lags, async (planned, skews) => {
          const all = limiters(limiting, skews);
          const caller = key();
          const reported: Promise<Allowance>[] = [];
          for (const { by, requests, after } of planned) {
            const limiter = all[by] ?? expect.fail();
            reported.push(...atOnce(requests, async () => limiter.consume(caller)));
            await pass(after);
          }
          const allowed = (await Promise.all(reported)).filter((allowance) => allowance.allowed);
          for (const { resetAt, remaining } of allowed) {
            expect(remaining).to.be.within(0, limiting.limit - 1);
            const inWindow = allowed.filter((allowance) => allowance.resetAt === resetAt);
            expect(inWindow.length).to.be.most(limiting.limit);
          }
          expect(allowed).not.to.deep.equal([]);
        }),
        { numRuns: 5, seed: testSeed(), endOnFailure: true },
      );
    }, 60_000);
  });
