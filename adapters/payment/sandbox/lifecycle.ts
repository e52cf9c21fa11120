import type { ProviderOutcome } from '#application/ports/charge.ts';
import type {
  CaptureRequest,
  ChargeSnapshot,
  CompleteChargeLifecycle,
  ProviderObject,
} from '#application/ports/charge-lifecycle.ts';
import type { Clock } from '#application/ports/system.ts';
import type { DisputeDetails } from '#domain/dispute.ts';
import { Instant } from '#domain/instant.ts';
import type { Failure } from '#domain/payment.ts';
import { type CaptureEntry, captureKey, type SandboxCharges } from './charges.ts';
import { type Entries, idOf, referenceOf } from './ledger.ts';
import { disputeOf, externalRefundOf, type SandboxEvents } from './provider-events.ts';
import { isDisputed } from './refund-ledger.ts';
import type { sandboxRefunds } from './refunds.ts';
import { disputeLostMs } from './scenarios.ts';

interface Dependencies {
  readonly entries: Entries;
  readonly clock: Clock;
  readonly events: SandboxEvents;
  readonly charges: SandboxCharges;
  readonly refunds: ReturnType<typeof sandboxRefunds>;
}

const notCapturable: Failure = {
  code: 'charge_not_capturable',
  message: 'The charge is not authorized for this amount.',
};

/** What the sandbox reports of its charges after they were made. */
export const sandboxLifecycle = (dependencies: Dependencies): CompleteChargeLifecycle => {
  const { entries, clock, events, charges, refunds } = dependencies;

  /** Decides first whether the capture is tried at all, so that a retry of one that was declined stays declined. */
  const capture = async ({ captureId, paymentId: id, amount }: CaptureRequest): Promise<ProviderOutcome> => {
    const entry = await charges.find(id);
    const state = entry && (await charges.stateOf(id, entry));
    const authorized =
      state !== undefined && 'waitsFor' in state && state.waitsFor === 'capture' ? state.amount : undefined;
    const isTried =
      amount.amount > 0 && authorized?.currency === amount.currency && amount.amount <= authorized.amount;
    const kept = await entries.keep<{ readonly isTried: boolean }>(`capture/${captureId}`, { isTried });
    if (!kept.isTried || entry === undefined) return { declined: notCapturable };
    const at = clock.now();
    const scenario = 'scenario' in entry ? entry.scenario : undefined;
    await events.ofCapture(id, scenario, at);
    const captured = await entries.keep<CaptureEntry>(captureKey(id), { captureId, amount, at });
    if ('canceled' in captured || captured.captureId !== captureId) return { declined: notCapturable };
    return { reference: referenceOf(id), amount: captured.amount, id };
  };

  const retrieveCharge = async (reference: string): Promise<ChargeSnapshot | undefined> => {
    const id = idOf(reference);
    const entry = id === undefined ? undefined : await charges.find(id);
    if (id === undefined || entry === undefined || 'paymentId' in entry) return undefined;
    const { state, capturedAt } = await charges.read(id, entry);
    const scenario = 'scenario' in entry ? entry.scenario : undefined;
    const amount = 'amount' in state ? state.amount : undefined;
    const isOpen = capturedAt === undefined || amount === undefined;
    const now = clock.now();
    const disputes: DisputeDetails[] = [];
    if (!isOpen && isDisputed({ capturedAt, ...(scenario && { scenario }) }, now)) {
      const lostAt = Instant.plus(capturedAt, disputeLostMs);
      disputes.push({
        amount,
        reason: 'fraudulent',
        status: now < lostAt ? 'needs_response' : 'lost',
        evidenceDueAt: lostAt,
        providerReference: disputeOf(id),
      });
    }
    return { reference, paymentId: id, charge: state, refunds: await refunds.of(id), disputes };
  };

  const findChargeOf = async ({ kind, reference }: ProviderObject): Promise<string | undefined> => {
    const id = idOf(reference);
    if (id === undefined) return undefined;
    const name = id.replace(/_(?:refund|dispute)$/, '');
    const suffixed = { charge: referenceOf, refund: externalRefundOf, dispute: disputeOf }[kind](name);
    if (suffixed === reference && (await retrieveCharge(referenceOf(name))) !== undefined)
      return referenceOf(name);
    const paymentId = kind === 'refund' ? await refunds.paymentOf(id) : undefined;
    return paymentId && referenceOf(paymentId);
  };

  return {
    asksPayer: true,
    findCharge: async ({ paymentId }) => {
      const entry = await charges.find(paymentId);
      return entry && charges.stateOf(paymentId, entry);
    },
    cancel: charges.cancel,
    capture,
    retrieveCharge,
    findChargeOf,
    listProviderEvents: events.since,
  };
};
