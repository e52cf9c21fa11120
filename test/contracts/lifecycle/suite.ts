import { mocha } from '../harness.ts';
import type { ProviderHarness } from '../payment-provider.ts';
import { describeLaterCaptures } from './captures.ts';
import { describeConsent } from './consent.ts';
import { describeFinding } from './finding.ts';
import { stageOf } from './fixture.ts';
import { allParts, type Part } from './parts.ts';
import { describeNews } from './provider-events.ts';
import { describeMovements } from './snapshots.ts';
import { describeSentEvents } from './webhooks.ts';

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
    const stage = stageOf(open, runner, new Set(parts));
    describeFinding(stage);
    describeConsent(stage);
    describeLaterCaptures(stage);
    describeMovements(stage);
    describeNews(stage);
    describeSentEvents(stage);
  });
