import { expect } from 'chai';
import { FlowingTime } from '../support/flowing-time.ts';
import { expectRejection, resultOf } from './failures.ts';
import { type Runner, rejectionOf } from './harness.ts';

const fail = () => Promise.reject(new RangeError('no'));
const pass = async () => undefined;
const hang = () => new Promise<void>(() => undefined);

/** How long the test that hangs is waited for, in milliseconds. */
const limitMs = 5;

const suiteOf =
  (tests: Readonly<Record<string, () => Promise<void>>>) =>
  ({ describe, it }: Runner): void =>
    void describe('a suite', () => {
      for (const [title, body] of Object.entries(tests)) it(title, body, body === hang ? limitMs : undefined);
    });

const refusalOf = async (register: (runner: Runner) => void, promises: readonly string[]) =>
  (await rejectionOf(expectRejection(register, promises))) as Error;

describe('The verdict on a wrong adapter', () => {
  let time: FlowingTime;
  beforeEach(() => {
    time = new FlowingTime();
  });
  afterEach(() => time.end());

  it('tells a timeout from a failure', async () => {
    expect(await resultOf(suiteOf({ fails: fail, passes: pass, hangs: hang }))).to.deep.equal({
      ...{ failed: ['fails'], timedOut: ['hangs'], passed: ['passes'] },
    });
  });

  it('is a rejection when its own promise fails, and another is kept', async () => {
    await expectRejection(suiteOf({ fails: fail, 'fails too': fail, passes: pass }), ['fails']);
    await expectRejection(suiteOf({ fails: fail }), ['fails']);
  });

  it('is no rejection when its promise passes, times out or does not exist, or when nothing is kept', async () => {
    for (const [tests, promise] of [
      [{ passes: pass, 'passes too': pass }, 'passes'],
      [{ hangs: hang, passes: pass }, 'hangs'],
      [{ fails: fail, passes: pass }, 'does not exist'],
      [{ fails: fail, 'fails too': fail, hangs: hang }, 'fails'],
    ] as const)
      expect((await refusalOf(suiteOf(tests), [promise])).name, promise).to.equal('AssertionError');
  });
});
