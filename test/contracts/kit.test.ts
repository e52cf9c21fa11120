import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import { fixedWindowLimiter } from '#adapters/rate-limit/fixed-window.ts';
import { FlowingTime } from '../support/flowing-time.ts';
import { authenticatorSuites, limiterSuites, providerSuites } from './adapter-kit.ts';
import { openKeys, openStaticKeys } from './authenticators.ts';
import type { Runner } from './harness.ts';
import { openSandbox } from './open-sandbox.ts';
import { promisesOf } from './promises.ts';
import type { LimitOptions } from './rate-limiter.ts';
import { type Outcome, runSuites, SuiteTimeout } from './run-suites.ts';
import { allSuites, suitesFor, type TestStore } from './store-kit.ts';
import { hookTimeoutMs, testTimeoutMs } from './timeouts.ts';
import { wrongConstraints } from './wrong/constraints.ts';

/** The comments of the ports, without line ends and stars. */
const portComments = (): string => {
  const ports = readdirSync('application/ports').map((name) => `application/ports/${name}`);
  const files = [...ports, 'adapters/persistence/store.ts', 'adapters/support/quota-store.ts'];
  return files
    .map((file) => readFileSync(file, 'utf8').replaceAll(/\s*\n\s*\* ?(?:- +)?|\s+/g, ' '))
    .join(' ');
};

const withMigrations = async (): Promise<TestStore> => ({
  ...(await openMemory()),
  openAnother: openMemory,
  migrations: { record: async () => undefined, forget: async () => undefined, recorded: async () => [] },
});

/** The sandbox as a provider that was written before any could be asked later. */
const openWithoutLifecycle = async () => {
  const { provider, world: _, ...harness } = await openSandbox();
  const { lifecycle: __, ...earlier } = provider;
  return { ...harness, provider: earlier };
};

const titles = (outcomes: readonly Outcome[]): readonly string[] => outcomes.map(({ promise }) => promise);

const failures = (outcomes: readonly Outcome[]): readonly string[] =>
  titles(outcomes.filter(({ error }) => error !== undefined));

describe('The conformance kit', () => {
  it('quotes each sentence from a port, word for word', async () => {
    const { suites } = await suitesFor(withMigrations);
    const comments = portComments();
    expect(suites).to.have.length.above(23);
    for (const { sentence } of suites) expect(comments).to.include(sentence);
  });

  it('has suites for providers, rate limiters and authenticators too, and says what is not tested', async () => {
    const comments = portComments();
    const alone = async () => ({
      limiter: ({ limit, windowMilliseconds }: LimitOptions) =>
        fixedWindowLimiter({ limit, windowMilliseconds, now: Date.now }),
      close: async () => undefined,
    });
    for (const [{ suites, untested }, missing] of [
      [await providerSuites(openWithoutLifecycle), ['lifecycle']],
      [
        await providerSuites(openSandbox),
        ['lifecycle.parseWebhook', 'world.tryAgain', 'world.captureExternally', 'world.cancelExternally'],
      ],
      [await limiterSuites(alone), ['count']],
      [await limiterSuites(async () => ({ ...(await alone()), count: 3 })), []],
      [await authenticatorSuites(openKeys), []],
      [await authenticatorSuites(openStaticKeys), ['canLimit', 'revoke']],
    ] as const) {
      expect(untested).to.deep.equal(missing);
      for (const { sentence } of suites) expect(comments).to.include(sentence);
    }
  });

  it('tests all that a store has, and says what it does not have', async () => {
    const { unitOfWork, close } = await openMemory();
    const bare = await suitesFor(async () => ({ unitOfWork, close }));
    expect(bare.untested).to.deep.equal([
      ...[
        'openAnother',
        'raw',
        'countReads',
        'sandboxLedger',
        'isKept',
        'quotas',
        'queueDelay',
        'schema',
        'migrations',
      ],
    ]);
    const whole = await suitesFor(withMigrations);
    expect(whole.untested).to.deep.equal(['raw', 'countReads', 'isKept', 'quotas']);
    expect(whole.suites.length).to.equal(bare.suites.length + 3);
  });

  it('fails a wrong store by the name of its promise, and keeps the others', async () => {
    const [[, open, , ...promises] = expect.fail('A wrong store is listed.')] = wrongConstraints;
    const { suites } = await suitesFor(open);
    const hasFault = ({ describe }: (typeof suites)[number]) =>
      promisesOf((runner) => describe('wrong', runner)).some((promise) => promises.includes(promise));
    const outcomes = await runSuites((runner) => {
      for (const { describe } of suites.filter(hasFault)) describe('wrong', runner);
    });
    expect(failures(outcomes)).to.include.members(promises);
    expect(failures(outcomes).length).to.be.below(outcomes.length / 2);
  });

  it('gives tests and hooks time in a runner that takes it as an argument, as vitest does', async () => {
    const timeouts = { it: new Set<number | undefined>(), hooks: new Set<number | undefined>() };
    const hook = (_: unknown, timeoutMs?: number) => timeouts.hooks.add(timeoutMs);
    const functions = {
      describe: (_: string, body: () => void) => body(),
      it: (_: string, __: unknown, timeoutMs?: number) => void timeouts.it.add(timeoutMs),
      ...{ beforeAll: hook, afterAll: hook, beforeEach: hook, afterEach: hook },
    };
    const { beforeAll: before, afterAll: after, ...others } = functions;
    await allSuites('vitest', withMigrations, { before, after, ...others });
    expect([...timeouts.hooks]).to.deep.equal([hookTimeoutMs]);
    for (const timeoutMs of timeouts.it) expect(timeoutMs).to.be.at.least(testTimeoutMs);
  });

  describe('runs suites without a test framework', () => {
    const suite = (body: (runner: Runner) => void) => (runner: Runner) =>
      runner.describe('a suite', () => body(runner));

    it('one test after the other, between their hooks', async () => {
      const steps: string[] = [];
      const step = (name: string) => async () => {
        steps.push(name);
      };
      const register = suite(({ it, before, after, beforeEach, afterEach }) => {
        before(step('before'));
        after(step('after'));
        beforeEach(step('before each'));
        afterEach(step('after each'));
        it('one', step('one'));
        it('two', step('two'));
      });
      expect(failures(await runSuites(register))).to.deep.equal([]);
      const each = (name: string) => ['before each', name, 'after each'];
      expect(steps).to.deep.equal(['before', ...each('one'), ...each('two'), 'after']);
    });

    it('and shows whole values of what should be equal: the first that differs, and where it is', async () => {
      const [sku, other] = [`${'straße'.repeat(20)} 1`, `${'straße'.repeat(20)} 2`];
      const products = (last: string) => [
        { sku: 'tea', tags: ['a'] },
        { sku: last, tags: [] },
      ];
      const register = suite(({ it }) => {
        it('one', async () => void expect({ rows: products(sku) }).to.deep.equal({ rows: products(other) }));
        it('two', async () => void expect(products(sku)).to.deep.equal(products(sku).slice(1)));
        it('three', async () => void expect([new Set(['a'])]).to.deep.equal([new Set(['a', 'b'])]));
        it('four', async () => void expect(sku).to.equal(other));
      });
      const [one, two, three, four] = (await runSuites(register)).map(
        ({ error }) => (error as Error).message,
      );
      expect(one).to.match(
        new RegExp(`It differs first at rows\\[1\\]\\.sku: '${sku}', expected '${other}'$`),
      );
      expect(two).to.contain(`It differs first at [0].sku: 'tea', expected '${sku}'`);
      expect(three).to.match(/It differs first at \[0\]\[1\]: nothing, expected 'b'$/);
      expect(four).to.equal(`expected '${sku}' to equal '${other}'`);
    });

    it('and fails a test that rejects', async () => {
      const register = suite(({ it }) => {
        it('rejects', () => Promise.reject(new RangeError('no')));
        it('rejects with nothing', () => Promise.reject());
        it('passes', async () => undefined);
      });
      expect(failures(await runSuites(register))).to.deep.equal(['rejects', 'rejects with nothing']);
    });

    it('and fails a test that hangs with an error of its own, unless it may take longer', async () => {
      const register = suite(({ it }) => {
        it('hangs', () => new Promise(() => undefined));
        it('has time', () => new Promise((resolve) => setTimeout(resolve, 20)), 60_000);
      });
      const time = new FlowingTime();
      const outcomes = await runSuites(register, { timeoutMs: 5 }).finally(() => time.end());
      expect(failures(outcomes)).to.deep.equal(['hangs']);
      expect(outcomes[0]?.error).to.be.instanceOf(SuiteTimeout);
    });

    it('and fails a test that leaves a rejected promise without a handler, and no other', async () => {
      const register = suite(({ it }) => {
        it('passes', async () => undefined);
        it('leaves it', async () => {
          Promise.reject(new RangeError('forgotten'));
        });
        it('passes, too', async () => undefined);
      });
      const outcomes = await runSuites(register);
      expect(failures(outcomes)).to.deep.equal(['leaves it']);
      expect(String(outcomes[1]?.error)).to.contain('forgotten');
    });

    it('and fails a suite whose store cannot be closed', async () => {
      const register = suite((runner) => {
        runner.after(() => Promise.reject(new RangeError('broken')));
        runner.it('one', async () => undefined);
      });
      expect(failures(await runSuites(register))).to.deep.equal(['is closed without an error']);
    });

    for (const hook of ['before', 'beforeEach', 'afterEach'] as const) {
      it(`and fails every test whose ${hook} hook fails`, async () => {
        const register = suite((runner) => {
          runner[hook](() => Promise.reject(new RangeError('broken')));
          runner.it('one', async () => undefined);
          runner.it('two', async () => undefined);
        });
        expect(failures(await runSuites(register))).to.deep.equal(['one', 'two']);
      });
    }

    it('and tests only what is wanted', async () => {
      const register = suite(({ it }) => {
        it('one', async () => undefined);
        it('two', async () => undefined);
      });
      const outcomes = await runSuites(register, { isWanted: (_, promise) => promise === 'two' });
      expect(titles(outcomes)).to.deep.equal(['two']);
    });
  });
});
