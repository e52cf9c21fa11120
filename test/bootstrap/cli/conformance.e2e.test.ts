import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { rejectionOf } from '#test/contracts/harness.ts';
import { outsideProject, root } from '../support/outside.ts';
import { type Ended, ending, portico } from '../support/portico.ts';

/** A store that wraps the memory store. @param fault replaces its unit of work, as text */
const store = (fault = '', exported = '') => `
import { type CustomStore, openMemory } from 'portico/adapters/memory';

export const apiVersion = 0;
${exported}
export const openStore = async (): Promise<CustomStore> => {
  const { unitOfWork, sandboxLedger } = await openMemory();
  const wrong: CustomStore['unitOfWork'] = {
    read: (reading, context) => unitOfWork.read(reading, context),
    run: (work, context) => unitOfWork.run(work, context),
    ${fault}
  };
  return { unitOfWork: wrong, sandboxLedger, close: async () => undefined };
};
`;

/** Its units of work see their changes, but each ends with its first run. */
const withoutDeadline = 'run: (work) => unitOfWork.run(work),';

const emptyStore = `export const openEmptyStore = () => openStore();`;

/** It says that it is kept, and ends with its process. */
const forgetfulStore = `
export const openEmptyStore = async () => ({
  ...(await openStore()),
  openAnother: openStore,
  isKept: { module: import.meta.url, url: '' },
});
`;

/** One store for all, with a user in it. */
const usedStore = `
import { openMemory } from 'portico/adapters/memory';
import { User, Instant } from 'portico/domain';

export const apiVersion = 0;
const { unitOfWork } = await openMemory();
const id = '01890000-0000-7000-8000-000000000000' as User['id'];
const ada = User.create(id, { email: 'ada@example.com', name: 'Ada', role: 'admin' }, Instant.at(0));
await unitOfWork.run(({ users }) => users.add(ada));
export const openStore = async () => ({ unitOfWork, close: async () => undefined });
`;

/** @param fault replaces the charges of the sandbox, as text */
const provider = (fault = '', exported = '') => `
import { ApplicationError } from 'portico/application';

export const apiVersion = 0;
${exported}
export const openTestProvider = async () => {
  const outcomes = new Map();
  let moved = 0;
  const keep = (id, make) => {
    if (!outcomes.has(id)) outcomes.set(id, make());
    return outcomes.get(id);
  };
  const move = () => ({ reference: 'moved ' + (moved += 1) });
  const declined = (code) => ({ declined: { code, message: 'Declined.' } });
  return {
    provider: {
      name: 'mine',
      idempotencyWindowMs: 1_000,
      charge: async ({ paymentId, paymentMethod }) => {
        if (paymentMethod === 'lost' && !outcomes.has(paymentId)) throw new ApplicationError('provider-timeout', 'Lost.');
        ${fault}
        return keep(paymentId, () => (paymentMethod === 'good' ? move() : declined('poor')));
      },
      closeCharge: async ({ paymentId }) => keep(paymentId, () => declined('not_charged')),
      refund: async ({ refundId }) => keep(refundId, move),
      closeRefund: async ({ refundId }) => keep(refundId, () => declined('not_refunded')),
    },
    ...{ good: 'good', bad: 'bad', lose: async () => 'lost' },
    ...{ movements: async () => moved, close: async () => undefined },
  };
};
`;

/** Counts alone. @param allowed how many requests more than the limit it allows */
const limiter = (more = 0) => `
export const apiVersion = 0;
export const openRateLimiter = async ({ limit, windowMs, now }) => {
  const windows = new Map();
  return {
    consume: async (key, own = limit) => {
      const at = now();
      let window = windows.get(key);
      if (window === undefined || at >= window.resetAt) windows.set(key, (window = { count: 0, resetAt: at + windowMs }));
      const allowed = window.count < own + ${more};
      if (allowed) window.count += 1;
      const remaining = Math.max(0, own - window.count);
      return { allowed, limit: own, remaining, resetAt: window.resetAt, wait: window.resetAt - at };
    },
  };
};
`;

/** Tokens in memory, which can neither be limited nor revoked. @param role what callers may do, as text */
const authenticator = (role = 'user.role') => `
import { openMemory } from 'portico/adapters/memory';
import { UnavailableError } from 'portico/application';
import { Role } from 'portico/domain';

export const apiVersion = 0;
export const openTestAuthenticator = async () => {
  const { unitOfWork, close } = await openMemory();
  const owners = new Map();
  let isAvailable = true;
  return {
    unitOfWork,
    close,
    canLimit: false,
    authenticator: {
      authenticate: async (token) => {
        if (!isAvailable) throw new UnavailableError('database-unavailable');
        const id = owners.get(token);
        const user = id && (await unitOfWork.read(({ users }) => users.find(id)));
        if (user?.status !== 'active') return undefined;
        return { userId: user.id, role: ${role}, scopes: Role.scopes(${role}), keyId: user.id };
      },
    },
    issue: async ({ id }) => {
      const token = 'Badge.' + id;
      owners.set(token, id);
      return token;
    },
    advance: () => undefined,
    setAvailable: (next) => { isAvailable = next; },
  };
};
`;

/** The store of the first suite opens more slowly than mocha waits for a hook by default. */
const mochaTests = `
import { setTimeout as pause } from 'node:timers/promises';
import { allSuites } from 'portico/conformance';
import { openStore } from './late.ts';

const { describe, it, before, after, beforeEach, afterEach } = globalThis as any;
let opened = 0;
const open = async () => {
  opened += 1;
  if (opened === 2) await pause(2_200);
  return openStore();
};
await allSuites('A late store', open, { describe, it, before, after, beforeEach, afterEach });
`;

const nodeTests = `
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { allSuites } from 'portico/conformance';
import { openStore } from './right.ts';

await allSuites('A store of my own', openStore, { describe, it, before, after, beforeEach, afterEach });
`;

describe('The command portico conformance', () => {
  // Each test starts processes, and the machine may be busy.
  const { place, write } = outsideProject();
  const conformance = (...words: readonly string[]): Promise<Ended> =>
    ending(portico(['conformance', ...words], { folder: place('.') }));

  before(() => {
    write('right.ts', store());
    write('late.ts', store(withoutDeadline));
    write('empty.ts', store('', emptyStore));
    write('used.ts', usedStore);
    write('store.test.ts', nodeTests);
    write('mocha.test.ts', mochaTests);
  });

  it('tests every promise to a store from outside, and says what is not tested', async () => {
    const { code, output, errors } = await conformance('./right.ts');
    expect(errors).to.equal('');
    expect(output).to.match(/^\d{3} kept, 0 broken$/m);
    expect(output).to.contain('right.ts: the ledger of the sandbox\n"Inserts a verdict durably');
    expect(output).to.contain(
      'Not tested, because the store has none: openAnother, raw, countReads, isKept, quotas, queueDelay, schema, migrations.',
    );
    expect(code).to.equal(0);
  });

  it('names the promises that a wrong store breaks', async () => {
    const { code, output } = await conformance('./late.ts', '--only', 'deadline', '--json');
    const { failed, promises } = JSON.parse(output);
    expect(failed).to.be.above(0);
    const broken = promises.filter(({ isKept }: { readonly isKept: boolean }) => !isKept);
    expect(broken[0]).to.include({
      suite: 'late.ts: a unit of work with a deadline',
      promise: 'does not start after it, nor does a read',
      sentence: 'After the deadline no work starts, no work is retried, and no commit is requested.',
    });
    expect(code).to.equal(1);
    const shown = await conformance('./late.ts', '--only', 'a unit of work with a deadline');
    expect(shown.output).to.match(/^ {2}BROKEN {2}does not start after it, nor does a read\n {10}\S/m);
  });

  it('opens the store by openEmptyStore where the module exports it', async () => {
    expect(await conformance('./empty.ts', '--only', 'fifty')).to.include({ code: 0 });
  });

  it('kills the process of a store that says that it is kept, and opens another in a process of its own', async () => {
    write('forgetful.ts', store('', forgetfulStore));
    const brokenOf = async (only: string) => {
      const { output } = await conformance('./forgetful.ts', '--only', only, '--json');
      const { promises, untested } = JSON.parse(output);
      expect(untested).to.not.include.members(['isKept', 'openAnother']);
      const broken = promises.filter(({ isKept }: { readonly isKept: boolean }) => !isKept);
      return broken.map(({ promise }: { readonly promise: string }) => promise);
    };
    expect(await brokenOf('a process that has ended')).to.deep.equal([
      'is there after that process was killed (SIGKILL)',
      'is there after its store was closed',
      'is there as far as it was acknowledged, although others were under way when it was killed',
    ]);
    expect(await brokenOf('commits: of leases')).to.deep.equal(['of leases bind another process']);
  });

  it('changes nothing in a store that is not empty', async () => {
    const { code, errors } = await conformance('./used.ts');
    expect(errors).to.match(/^portico: The store that used\.ts opens is not empty\. Export openEmptyStore/);
    expect(code).to.equal(2);
  });

  it('rejects a name that no promise has, and a module that cannot be found', async () => {
    expect(await conformance('./right.ts', '--only', 'xyzzy')).to.include({ code: 2 });
    expect((await conformance('./nothing.ts')).errors).to.match(
      /^portico: PERSISTENCE_ADAPTER names .*nothing\.ts/,
    );
  });

  for (const [kind, right, wrong, suite, counts, broken] of [
    [
      'payment-provider',
      provider(),
      provider('if (paymentMethod === "good") return move();'),
      ' keeps the contract of payment providers\n"It makes a charge at most once',
      /^Not tested, because the payment-provider has none: lifecycle\.\n13 kept, 0 broken$/m,
      'makes a charge once, however often it is retried',
    ],
    [
      'rate-limiter',
      limiter(),
      limiter(1),
      ': the rate limiter\n"Within a window at most `limit` requests',
      /^Not tested, because the rate-limiter has none: count\.\n12 kept, 0 broken$/m,
      'allows exactly the limit, and counts it down without a gap',
    ],
    [
      'authenticator',
      authenticator(),
      authenticator("'admin'"),
      ': tokens\n"The caller is a user of this shop.',
      /^Not tested, because the authenticator has none: canLimit, revoke\.\n13 kept, 0 broken$/m,
      'name the user, the role, and all scopes of that role',
    ],
  ] as const) {
    it(`tests other adapters, which it knows by what they export: ${kind}`, async () => {
      write(`${kind}.ts`, right);
      write(`${kind}-wrong.ts`, wrong);
      const { code, output, errors } = await conformance(`./${kind}.ts`);
      expect(errors).to.equal('');
      expect(output).to.match(counts).and.to.contain(`${kind}.ts${suite}`);
      expect(code).to.equal(0);
      const rejected = await conformance(`./${kind}-wrong.ts`, '--only', broken, '--json');
      const { failed, promises, kind: named } = JSON.parse(rejected.output);
      expect({ failed, named, code: rejected.code }).to.deep.equal({ failed: 1, named: kind, code: 1 });
      expect(promises[0]).to.include({ promise: broken, isKept: false });
    });
  }

  it('asks for the kind of a module that has several, and for what says how an adapter is tested', async () => {
    write('two.ts', provider('', `export const openStore = () => ({});`));
    expect((await conformance('./two.ts')).errors).to.equal(
      'portico: two.ts has adapters of several kinds. Set --kind to store or payment-provider.\n',
    );
    const chosen = await conformance('./two.ts', '--kind', 'payment-provider', '--only', 'a decline');
    expect(chosen.output).to.match(/^1 kept, 0 broken$/m);
    expect((await conformance('./two.ts', '--kind', 'store')).errors).to.match(
      /^portico: PERSISTENCE_ADAPTER names two\.ts, whose openStore must return an object with unitOfWork/,
    );
    write('bare.ts', 'export const apiVersion = 0; export const openPaymentProvider = () => ({});');
    expect(await conformance('./bare.ts')).to.deep.equal({
      code: 2,
      output: '',
      errors:
        'portico: bare.ts must export openTestProvider, which says how it is tested: docs/adapters.md describes it.\n',
    });
    write('none.ts', 'export const apiVersion = 0;');
    expect((await conformance('./none.ts')).errors).to.match(
      /^portico: none\.ts must export openEmptyStore, openStore, .* or openAuthenticator\.$/m,
    );
    expect((await conformance('./none.ts', '--kind', 'rules')).errors).to.match(
      /^portico: --kind must be store, payment-provider, rate-limiter, authenticator/,
    );
  });

  it('leaves the suites to any runner: mocha, which names the promises that are broken', async () => {
    const mocha = join(root, 'node_modules/mocha/bin/mocha.js');
    const run = promisify(execFile)(process.execPath, [mocha, 'mocha.test.ts'], { cwd: place('.') });
    const { stdout } = (await rejectionOf(run)) as { readonly stdout: string };
    expect(stdout)
      .to.match(/^ {2}[2-9]\d\d passing/m)
      .and.match(/^ {2}[1-9] failing/m);
    expect(stdout).to.contain(
      'A late store: a unit of work with a deadline\n       does not start after it, nor does a read:',
    );
  });

  it('leaves the suites to any runner: node:test', async () => {
    const run = promisify(execFile)(process.execPath, ['--test', 'store.test.ts'], { cwd: place('.') });
    const { stdout } = await run;
    expect(stdout)
      .to.match(/^ℹ fail 0$/m)
      .and.match(/^ℹ tests [2-9]\d\d$/m);
  });
});
