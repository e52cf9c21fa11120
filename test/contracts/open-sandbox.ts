import { sandboxProvider } from '#adapters/payment/sandbox/provider.ts';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import { ApplicationError } from '#application/errors.ts';
import type { CanceledCharge, ChargeState } from '#application/ports/charge.ts';
import type { CompleteProvider } from '#application/ports/payment-provider.ts';
import { Instant } from '#domain/instant.ts';
import type { PaymentId } from '#domain/payment.ts';
import { allParts, type Part } from './lifecycle/parts.ts';
import type { Happening } from './lifecycle/provider-world.ts';
import { aCharge, type ProviderHarness } from './payment-provider.ts';
import { noon } from './samples.ts';

const impossible: ReadonlySet<Part> = new Set([
  'lifecycle.parseWebhook',
  'world.signEvent',
  'world.tryAgain',
  'world.captureExternally',
  'world.cancelExternally',
]);

/** What can happen at the sandbox: its payers try once, it sends no events, and nothing is captured or canceled there. */
export const sandboxParts: readonly Part[] = allParts.filter((part) => !impossible.has(part));

export interface SandboxHarness extends ProviderHarness {
  readonly provider: CompleteProvider;
}

/** The provider of the sandbox, with nothing in its books, and a clock by which everything happens that the test lets happen. */
export const openSandbox = async (): Promise<SandboxHarness> => {
  const { sandboxLedger, close } = await openMemory();
  let now = noon;
  let isAvailable = true;
  const ids = new Set<string>();
  const requireAvailable = async (): Promise<void> => {
    if (!isAvailable) throw new ApplicationError('provider-failed', 'It cannot be reached.');
  };
  // It has no network that could fail but that to its ledger.
  const ledger = {
    find: async (id: string) => {
      await requireAvailable();
      return sandboxLedger.find(id);
    },
    keep: async (id: string, value: string) => {
      await requireAvailable();
      ids.add(id);
      return sandboxLedger.keep(id, value);
    },
  };
  const sandbox = sandboxProvider(ledger, { now: () => now });
  let areLost = false;
  const losing =
    <Request, Outcome>(call: (request: Request) => Promise<Outcome>) =>
    async (request: Request): Promise<Outcome> => {
      const outcome = await call(request);
      if (areLost) throw new ApplicationError('provider-failed', 'The response is lost.');
      return outcome;
    };
  const { lifecycle } = sandbox;
  const provider: CompleteProvider = {
    ...sandbox,
    charge: losing(sandbox.charge),
    refund: losing(sandbox.refund),
    lifecycle: { ...lifecycle, cancel: losing(lifecycle.cancel), capture: losing(lifecycle.capture) },
  };
  const after = (seconds: number, method: string): Happening => ({
    method,
    happen: async () => {
      now = Instant.plus(now, seconds * 1_000);
    },
  });
  return {
    provider,
    good: 'tok_ok',
    bad: 'tok_declined',
    lose: async () => 'tok_error',
    movements: async () => {
      let count = 0;
      for (const id of ids) {
        const snapshot = await provider.lifecycle.retrieveCharge(`sandbox_${id}`);
        if (snapshot === undefined) continue;
        const { charge, refunds } = snapshot;
        const isTaken = 'reference' in charge && !('waitsFor' in charge) && !('canceled' in charge);
        count += (isTaken ? 1 : 0) + refunds.filter(({ status }) => status !== 'failed').length;
      }
      return count;
    },
    world: {
      consent: after(2, 'tok_action'),
      refuse: after(2, 'tok_action_declined'),
      agreeLater: after(5, 'tok_processing'),
      rejectLater: after(5, 'tok_processing_failed'),
      refundExternally: after(5, 'tok_refunded_outside'),
      refundLater: after(5, 'tok_refund_pending'),
      failRefundLate: after(5, 'tok_refund_fails_late'),
      dispute: after(5, 'tok_dispute'),
      // Its ledger forgets nothing.
      forgetIds: async () => {
        now = Instant.plus(now, 25 * 3_600_000);
      },
      loseResponses: async (are) => {
        areLost = are;
      },
      setAvailable: async (is) => {
        isAvailable = is;
      },
    },
    close,
  };
};

/**
 * The sandbox where a charge is canceled at the provider.
 * @param told what the provider tells of such a charge
 */
export const openExpiring = async (
  told: (state: CanceledCharge) => ChargeState,
): Promise<ProviderHarness> => {
  const { provider, world, ...harness } = await openSandbox();
  const { lifecycle } = provider;
  const telling = <State extends ChargeState | undefined>(state: State) =>
    state !== undefined && 'canceled' in state ? told(state) : state;
  return {
    ...harness,
    provider: {
      ...provider,
      lifecycle: {
        ...lifecycle,
        findCharge: async (charge) => telling(await lifecycle.findCharge(charge)),
        retrieveCharge: async (reference) => {
          const snapshot = await lifecycle.retrieveCharge(reference);
          return snapshot && { ...snapshot, charge: telling(snapshot.charge) };
        },
      },
    },
    world: {
      ...world,
      cancelExternally: {
        method: 'tok_ok',
        happen: async (reference) => {
          const paymentId = (await lifecycle.retrieveCharge(reference))?.paymentId as PaymentId;
          return lifecycle.cancel({ ...aCharge('tok_ok'), paymentId, reference });
        },
      },
    },
  };
};
