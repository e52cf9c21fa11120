// Walks through the test payment methods of Stripe with a test account: `npm run stripe:live-test -- --help`. It alone, of all tests
// and scripts of this repository, reaches beyond 127.0.0.1.
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { inspectStripe } from '#adapters/payment/stripe/checks/inspect-account.ts';
import { CannotRun, print, type Running, runCommand, wholeNumber } from '../lab/command-line.ts';
import { testKeyIn } from './key.ts';
import { Shop } from './shop.ts';
import { isDifferent, type Observation, runStep, type Step } from './step.ts';
import { captureSteps } from './steps/captures.ts';
import { chargeSteps } from './steps/charges.ts';
import { consentSteps } from './steps/consent.ts';
import { disputeSteps } from './steps/disputes.ts';
import { refundSteps } from './steps/refunds.ts';

const usage = `Usage: STRIPE_SECRET_KEY=sk_test_… npm run stripe:live-test -- [--wait <seconds>]

Starts a Portico on SQLite in a temporary folder, pays, captures, refunds and disputes with the test payment methods of Stripe, and
compares what is seen with the contract. It needs a Stripe test account and rejects live keys. No money moves. The payments stay in
the test data of the account.

  --wait   how long to wait for each thing that Stripe does later, from 1 to 3600 seconds (600)

The exit code is 1 when something differs. STRIPE_API_BASE names another origin than that of Stripe.
`;

const allSteps = [...chargeSteps, ...consentSteps, ...captureSteps, ...refundSteps, ...disputeSteps];

const report = ({ name }: Step, observations: readonly Observation[]): void => {
  print(name);
  for (const { subject, expected, seen } of observations) {
    const differs = isDifferent({ subject, expected, seen });
    print(
      differs
        ? `  DIFFERS  ${subject}: expected ${expected}, seen ${seen}`
        : `  ok       ${subject}: ${seen}`,
    );
  }
};

/** Runs what Stripe answers at once one after the other, and what takes its time beside each other. */
const runAll = async (shop: Shop, pending: Set<Step>, differences: Observation[]): Promise<void> => {
  const run = async (step: Step): Promise<void> => {
    const observations = await runStep(step, shop);
    if (!pending.delete(step)) return;
    report(step, observations);
    differences.push(...observations.filter(isDifferent));
  };
  for (const step of allSteps) if (!step.isLate) await run(step);
  await Promise.all(allSteps.filter(({ isLate }) => isLate).map(run));
};

/** What all other requests may take together, in milliseconds. */
const requestsTimeoutMs = 5 * 60_000;

/** @returns whether Stripe does as expected in everything */
const main = async ({ key: secretKey, waitMs }: Arguments, { cleanUp }: Running): Promise<boolean> => {
  const { STRIPE_API_BASE: apiBase } = process.env;
  const account = { secretKey, apiBase, methods: ['card'], timeoutMs: 10_000 };
  const findings = await inspectStripe({ ...account, eventsPollMs: 1_000, listens: false });
  for (const { state, check, message } of findings) print(`${state}  ${check}: ${message}`);
  if (findings.some(({ state }) => state === 'fail')) throw new CannotRun('Stripe cannot be used like this.');
  const shop = await Shop.open({ secretKey, apiBase, waitMs });
  cleanUp.defer(() => shop.close());
  const pending = new Set<Step>(allSteps);
  const differences: Observation[] = [];
  // Each late step waits at most twice.
  await Promise.race([
    runAll(shop, pending, differences),
    pause(2 * waitMs + requestsTimeoutMs, undefined, { ref: false }),
  ]);
  for (const { name } of pending)
    print(`${name}\n  DIFFERS  the step: expected ends, seen not ended in time`);
  const count = differences.length + pending.size;
  pending.clear();
  print(`\n${allSteps.length} steps, ${count} ${count === 1 ? 'difference' : 'differences'}`);
  return count === 0;
};

interface Arguments {
  readonly key: string;
  readonly waitMs: number;
}

const read = (given: readonly string[]): Arguments | undefined => {
  const options = {
    wait: { type: 'string', default: '600' },
    help: { type: 'boolean', default: false },
  } as const;
  const { wait, help } = parseArgs({ args: [...given], options }).values;
  if (help) return undefined;
  const seconds = wholeNumber('--wait', wait, { least: 1, most: 3_600 });
  return { key: testKeyIn(process.env), waitMs: seconds * 1_000 };
};

await runCommand({ name: 'stripe:live-test', usage, read, run: main });
// A step that did not end in time may still wait.
process.exit();
