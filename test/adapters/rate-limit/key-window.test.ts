import { expect } from 'chai';
import { KeyWindow } from '#adapters/rate-limit/key-window.ts';
import type { Allowance } from '#application/ports/rate-limiter.ts';
import type { ApiKeyId } from '#domain/api-key.ts';
import { newId } from '../../support/machine.ts';

const limit = 1_000;
const windowMilliseconds = 60_000;
const start = Date.UTC(2026, 0, 1);
const resetAt = start + windowMilliseconds;

/** A window whose store is this test. Times are milliseconds since the start of the window. */
const open = () => {
  const key = newId<ApiKeyId>();
  const window = new KeyWindow(key, { limit, windowMilliseconds });
  let unleased = limit;
  const receive = (granted: number | undefined, at: number): void => {
    unleased -= granted ?? 0;
    const state = { key, resetAt, unleased };
    window.receive(granted === undefined ? state : { ...state, granted }, start + at);
  };
  return {
    window,
    /** Requests of other processes. */
    leaseElsewhere: (count: number): void => {
      unleased -= count;
    },
    returnElsewhere: (count: number): void => {
      unleased += count;
    },
    step: (at: number) => window.nextStep(start + at),
    consume: (at: number) => window.consume(start + at),
    consumeAll: (at: number): void => {
      while (window.consume(start + at)?.allowed);
    },
    wait: (at: number): Promise<Allowance> => {
      expect(window.consume(start + at)).to.equal(undefined);
      return window.wait(start + at);
    },
    /** @returns how much it leased */
    lease: (at: number): number => {
      expect(window.nextStep(start + at)).to.equal('lease');
      const granted = Math.min(unleased, window.request(start + at).count);
      receive(granted, at);
      return granted;
    },
    read: (at: number): void => {
      expect(window.nextStep(start + at)).to.equal('read');
      receive(undefined, at);
    },
    /** @returns how much it returned */
    giveBack: (at: number): number => {
      expect(window.nextStep(start + at)).to.equal('return');
      const { count } = window.releaseSpare(start + at);
      unleased += count;
      receive(undefined, at);
      return count;
    },
  };
};

describe('The window of a key', () => {
  it('leases a small block first, and twice as much when that is used up early', async () => {
    const { wait, lease, consumeAll } = open();
    const first = wait(0);
    expect(lease(0)).to.equal(1 + 10);
    expect(await first).to.include({ allowed: true, remaining: limit - 1, resetAt });
    for (const size of [20, 40, 80]) {
      consumeAll(1);
      void wait(1);
      expect(lease(1)).to.equal(1 + size);
    }
  });

  it('leases a block of at most a quarter of what is left, and at least one', () => {
    const { wait, lease, consumeAll, leaseElsewhere } = open();
    leaseElsewhere(limit - 31);
    void wait(0);
    expect(lease(0)).to.equal(1 + 10);
    for (const left of [20, 15, 12, 9, 7, 6, 5, 4]) {
      consumeAll(1);
      expect(lease(1)).to.equal(Math.floor(left / 4));
    }
    for (let left = 3; left > 0; left -= 1) {
      consumeAll(2);
      expect(lease(2)).to.equal(1);
    }
  });

  it('leases the next block when half is used, but not for an idle key', () => {
    const { wait, lease, consume, step } = open();
    void wait(0);
    lease(0);
    for (let used = 0; used < 4; used += 1) consume(10);
    expect(step(10)).to.equal(undefined);
    consume(10);
    expect(step(10)).to.equal('lease');
    expect(step(260)).to.equal('read');
  });

  it('returns what a key does not use, but for a small block while half of the limit is left', () => {
    const { wait, lease, giveBack, read, step, leaseElsewhere } = open();
    for (let request = 0; request < 30; request += 1) void wait(0);
    lease(0);
    expect(step(249)).to.equal(undefined);
    read(250);
    expect(step(251)).to.equal(undefined);
    leaseElsewhere(500);
    read(500);
    expect(giveBack(501)).to.equal(10);
    expect(step(502)).to.equal('forget');
  });

  it('returns a small block after five seconds without a request', () => {
    const { wait, lease, giveBack, step } = open();
    void wait(0);
    lease(0);
    expect(step(4_999)).to.equal('read');
    expect(giveBack(5_000)).to.equal(10);
  });

  it('keeps half of a block that lasts too long', () => {
    const { wait, lease, consumeAll, consume, giveBack } = open();
    void wait(0);
    lease(0);
    for (let round = 0; round < 3; round += 1) {
      consumeAll(1);
      void wait(1);
      lease(1);
    }
    consume(240);
    expect(giveBack(260)).to.equal(79 - 40);
  });

  it('rejects at once when it has leased the whole limit itself', async () => {
    const { wait, lease, consume } = open();
    const requests = Array.from({ length: limit }, () => wait(0));
    lease(0);
    expect((await Promise.all(requests)).every(({ allowed }) => allowed)).to.equal(true);
    const next = wait(1);
    lease(1);
    expect(await next).to.include({ allowed: false, remaining: 0 });
    expect(consume(2)).to.deep.equal({
      allowed: false,
      limit,
      remaining: 0,
      resetAt,
      wait: windowMilliseconds - 2,
    });
  });

  it('lets requests wait up to 0.6 seconds for what other processes may return', async () => {
    const { wait, lease, step, consume, leaseElsewhere, returnElsewhere } = open();
    leaseElsewhere(limit);
    const early = wait(0);
    lease(0);
    expect(step(99)).to.equal(undefined);
    returnElsewhere(1);
    lease(100);
    expect(await early).to.include({ allowed: true });
    const late = [wait(200), wait(300)];
    for (let at = 200; at <= 800; at += 100) lease(at);
    for (const allowance of await Promise.all(late)) expect(allowance).to.include({ allowed: false });
    expect(consume(801)).to.include({ allowed: false });
  });

  it('notices quota that is returned after it has rejected requests', () => {
    const { wait, lease, read, consume, leaseElsewhere, returnElsewhere } = open();
    leaseElsewhere(limit);
    void wait(0);
    lease(0);
    lease(600);
    returnElsewhere(1);
    expect(consume(840)).to.include({ allowed: false });
    read(850);
    expect(consume(860)).to.equal(undefined);
  });

  it('lets at most 256 requests wait for other processes', () => {
    const { wait, lease, consume, leaseElsewhere } = open();
    leaseElsewhere(limit);
    for (let request = 0; request < 256; request += 1) void wait(0);
    lease(0);
    expect(consume(1)).to.include({ allowed: false });
  });

  it('returns its block before it allows a request under a lower limit, and leases anew', async () => {
    const { window, wait, lease, step, giveBack, consume } = open();
    const first = wait(0);
    expect(lease(0)).to.equal(1 + 10);
    await first;
    window.setLimit(500);
    expect(consume(1)).to.equal(undefined);
    const next = window.wait(start + 1);
    expect(step(1)).to.equal('return');
    expect(giveBack(1)).to.equal(10);
    lease(1);
    expect(await next).to.include({ allowed: true, limit: 500 });
  });

  it('rejects at once under a limit below what it has used, and allows more under a higher one', async () => {
    const { window, wait, lease, consume, consumeAll, giveBack } = open();
    const first = wait(0);
    lease(0);
    await first;
    consumeAll(1);
    const second = wait(1);
    lease(1);
    await second;
    window.setLimit(5);
    const rejected = wait(2);
    const unused = giveBack(2);
    expect(unused).to.be.above(0);
    window.receive({ key: window.key, resetAt, unleased: 0 }, start + 2);
    expect(await rejected).to.include({ allowed: false, limit: 5, remaining: 0 });
    expect(consume(3)).to.include({ allowed: false });
    window.setLimit(2_000);
    const allowed = wait(4);
    lease(4);
    expect(await allowed).to.include({ allowed: true, limit: 2_000 });
  });

  it('counts without the store what was unleased, and lets the next lease count it', () => {
    const { window, wait, lease, consumeAll, consume } = open();
    void wait(0);
    lease(0);
    consumeAll(1);
    for (let left = limit - 11; left > 0; left -= 1) {
      expect(window.consumeAlone(start + 2)).to.include({ allowed: true, remaining: left - 1 });
    }
    expect(window.consumeAlone(start + 2)).to.include({ allowed: false, remaining: 0 });
    expect(lease(3)).to.equal(limit - 11);
    expect(consume(4)).to.equal(undefined);
  });

  it('has ended when its end is later than possible, because the clock was set back', () => {
    const { wait, lease, consume, step } = open();
    void wait(0);
    lease(0);
    expect(consume(-1_000)).to.include({ allowed: true, wait: windowMilliseconds });
    expect(consume(-1_001)).to.equal(undefined);
    expect(step(-1_001)).to.equal('forget');
  });
});
