import { expect } from 'chai';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import { describeConstraints } from './constraints.ts';
import { describeDeadlines } from './deadlines.ts';
import { resultOf } from './failures.ts';
import type { Open, Suite } from './harness.ts';
import { describeIsolation } from './isolation.ts';
import { describeLocks } from './locks.ts';
import { describeOwnChanges } from './own-changes.ts';
import { describeSchema } from './schema.ts';
import { describeTexts } from './texts.ts';
import { describeUnitOfWork } from './unit-of-work.ts';
import * as wrong from './wrong-adapters.ts';

/** Each wrong adapter, with the suite and the promises by whose names it must fail. */
const cases: readonly (readonly [fault: string, open: Open, suite: Suite, promises: readonly string[]])[] = [
  ['dirty reads', wrong.dirtyReads, describeUnitOfWork, ['never shows others what it rolls back']],
  [
    'a stale snapshot behind a lock',
    wrong.staleSnapshot,
    describeLocks,
    ['let those behind them read the latest commit: the locked resource, others, and lists'],
  ],
  [
    'keys that are compared without case',
    wrong.keysWithoutCase,
    describeTexts,
    ['of idempotency keys are compared code point by code point'],
  ],
  [
    'SKUs that are compared without case',
    wrong.skusWithoutCase,
    describeTexts,
    ['of SKUs are compared code point by code point'],
  ],
  [
    'addresses that are compared without case',
    wrong.addressesWithoutCase,
    describeTexts,
    ['of e-mail addresses are compared code point by code point'],
  ],
  [
    'responses that are cut at 100 characters',
    wrong.responsesCutAt100,
    describeTexts,
    ['of stored responses are returned whole, up to 100,000 characters'],
  ],
  [
    'keys that are cut at 16 characters',
    wrong.keysCutAt16,
    describeTexts,
    ['of idempotency keys are compared up to the last of 255 characters'],
  ],
  [
    'addresses that are cut at 64 characters',
    wrong.addressesCutAt64,
    describeTexts,
    ['of e-mail addresses are compared and returned up to the last of 254 characters'],
  ],
  [
    'no references',
    wrong.noReferences,
    describeConstraints,
    [
      'let nothing refer by orders.userId to what does not exist',
      'let nothing be removed that orders refer to by userId',
    ],
  ],
  [
    'two live payments of one order',
    wrong.twoLivePayments,
    describeConstraints,
    ['let an order have one live payment, and any number that have failed'],
  ],
  [
    'keys that are added twice, and saved although they do not exist',
    wrong.keysWrittenAnyway,
    describeConstraints,
    ['let no idempotency key be added twice, and none be saved that does not exist'],
  ],
  [
    'commits after the deadline',
    wrong.noDeadline,
    describeDeadlines,
    ['does not start after it, nor does a read', 'commits nothing after it, and does not affect others'],
  ],
  [
    'a rollback of half the changes',
    wrong.halfRollback,
    describeIsolation,
    ['leave nothing behind when they fail: no resource, no key, no lease'],
  ],
  [
    'late calls that take effect',
    wrong.lateCalls,
    describeIsolation,
    ['change nothing by a call that comes after they have ended, whether they committed or failed'],
  ],
  [
    'units of work that do not see their own changes',
    wrong.blindToItself,
    describeOwnChanges,
    ['are found, locked and listed by itself as soon as they are made'],
  ],
];

/** A database whose migrations are only noted. */
const noted = (isHonest: boolean) => async () => {
  const known = ['0001', '0002'];
  let names: readonly string[] = known;
  return {
    schema: async () => ({
      pending: isHonest ? known.filter((name) => !names.includes(name)) : [],
      unknown: isHonest ? names.filter((name) => !known.includes(name)) : [],
    }),
    record: async (name: string) => {
      names = [...names, name];
    },
    forget: async (name: string) => {
      names = names.filter((each) => each !== name);
    },
    recorded: async () => names,
    close: async () => undefined,
  };
};

describe('The contract suites are as strict as the promises', () => {
  for (const [fault, open, suite, promises] of cases) {
    it(`and reject ${fault}`, async () => {
      const { failed, passed } = await resultOf((runner) => suite('wrong', open, runner));
      expect(failed).to.include.members([...promises]);
      // Whatever has nothing to do with the fault holds.
      expect(passed).to.be.above(0);
    });
  }

  it('and reject a schema that says it is always in step', async () => {
    const { failed } = await resultOf((runner) => describeSchema('wrong', noted(false), runner));
    expect(failed).to.deep.equal([
      'names the migrations that are missing by now',
      'names the migrations that a later version has applied',
    ]);
  });

  it('and accept the reference', async () => {
    for (const suite of new Set(cases.map(([, , each]) => each))) {
      const { failed } = await resultOf((runner) => suite('right', openMemory, runner));
      expect(failed).to.deep.equal([]);
    }
    const { failed } = await resultOf((runner) => describeSchema('right', noted(true), runner));
    expect(failed).to.deep.equal([]);
  });
});
