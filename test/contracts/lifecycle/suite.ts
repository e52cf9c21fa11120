import { mocha } from '../harness.ts';
import type { ProviderHarness } from '../payment-provider.ts';
import { describeLaterCaptures } from './captures.ts';
import { describeConsent } from './consent.ts';
import { describeFinding } from './finding.ts';
import { fixtureOf } from './fixture.ts';
import { allParts, type Part } from './parts.ts';
import { describeProviderEvents } from './provider-events.ts';
import { describeSnapshots } from './snapshots.ts';
import { describeWebhooks } from './webhooks.ts';

/**
 * What `ChargeLifecycle` promises.
 * @param parts that the provider offers, and its harness has; by default all. What needs another is not tested.
 */
export const describeChargeLifecycle = (
  name: string,
  open: () => Promise<ProviderHarness>,
  runner = mocha(),
  parts: readonly Part[] = allParts,
) =>
  runner.describe(`${name} keeps the contract of providers that can be asked later`, () => {
    const fixture = fixtureOf(open, runner, new Set(parts));
    describeFinding(fixture);
    describeConsent(fixture);
    describeLaterCaptures(fixture);
    describeSnapshots(fixture);
    describeProviderEvents(fixture);
    describeWebhooks(fixture);
  });
