import { expect } from 'chai';
import { expectRejection, resultOf } from './failures.ts';
import { inFlowingTime } from './in-flowing-time.ts';
import { describeSchema } from './schema.ts';
import { wrongConcurrency } from './wrong/concurrency.ts';
import { wrongConstraints } from './wrong/constraints.ts';
import { wrongFeeds } from './wrong/events.ts';
import { wrongFirstOfEach } from './wrong/first-of-each.ts';
import { wrongKeysAndLeases } from './wrong/keys.ts';
import { wrongPages } from './wrong/pages.ts';
import { wrongPaidTimes } from './wrong/paid-times.ts';
import { wrongProcesses } from './wrong/processes.ts';
import { wrongProductWords } from './wrong/product-words.ts';
import { wrongReads } from './wrong/reads.ts';
import { wrongReconciliationTaskStores } from './wrong/reconciliation-tasks.ts';
import { wrongSalesReaders } from './wrong/sales.ts';
import { wrongTexts } from './wrong/texts.ts';
import { wrongTransactions } from './wrong/transactions.ts';
import { wrongValues } from './wrong/values.ts';
import { wrongWebhookQueues } from './wrong/webhook-queue.ts';
import type { WrongAdapter } from './wrong/wrapping.ts';

const cases: readonly WrongAdapter[] = [
  ...wrongReads,
  ...wrongPages,
  ...wrongFirstOfEach,
  ...wrongTransactions,
  ...wrongProcesses,
  ...wrongConcurrency,
  ...wrongConstraints,
  ...wrongKeysAndLeases,
  ...wrongTexts,
  ...wrongValues,
  ...wrongProductWords,
  ...wrongReconciliationTaskStores,
  ...wrongWebhookQueues,
  ...wrongSalesReaders,
  ...wrongPaidTimes,
  ...wrongFeeds,
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
  for (const [fault, open, suite, ...promises] of cases) {
    it(`and reject ${fault}`, () =>
      expectRejection((runner) => suite('wrong', open, inFlowingTime(runner)), promises));
  }

  it('and reject a schema that says it is always in step', async () => {
    const { failed } = await resultOf((runner) => describeSchema('wrong', noted(false), runner));
    expect(failed).to.deep.equal([
      'names the migrations that are missing by now',
      'names the migrations that a later version has applied',
    ]);
  });

  it('and accept a schema that says what is missing', async () => {
    const { failed, timedOut } = await resultOf((runner) => describeSchema('right', noted(true), runner));
    expect([...failed, ...timedOut]).to.deep.equal([]);
  });
});
