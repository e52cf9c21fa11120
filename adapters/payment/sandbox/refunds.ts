import type { ProviderOutcome, RefundRequest, RefundState } from '#application/ports/charge.ts';
import type { ProviderRefund } from '#application/ports/charge-lifecycle.ts';
import type { Clock } from '#application/ports/system.ts';
import { Instant } from '#domain/instant.ts';
import type { Money } from '#domain/money.ts';
import type { SandboxCharges } from './charges.ts';
import { appendToList, type Entries, idOf, referenceOf } from './ledger.ts';
import { externalRefundOf, type SandboxEvents } from './provider-events.ts';
import { acceptedRefunds, type ChargeMoney, type RefundEntry, statusAt } from './refund-ledger.ts';
import { aftermathMs } from './scenarios.ts';

/** A refund that has arrived, under its id. One of an earlier release is an outcome. */
interface Arrived {
  readonly paymentId: string;
  readonly amount: Money;
}

interface Dependencies {
  readonly entries: Entries;
  readonly clock: Clock;
  readonly events: SandboxEvents;
  readonly charges: SandboxCharges;
}

const notRefunded: ProviderOutcome = {
  declined: { code: 'not_refunded', message: 'The provider never received the refund.' },
};

/** The refunds of the sandbox. Each charge has a list of them, whose order decides which of them its money suffices for. */
export const sandboxRefunds = ({ entries, clock, events, charges }: Dependencies) => {
  const moneyOf = async (paymentId: string): Promise<ChargeMoney> => {
    const entry = await charges.find(paymentId);
    // Of a charge that is in no ledger, as of data for a demonstration, the sandbox knows no limit.
    if (entry === undefined) return { hasNoLimit: true };
    const { state, capturedAt } = await charges.read(paymentId, entry);
    if (capturedAt === undefined || !('reference' in state) || 'canceled' in state) return {};
    if (state.amount === undefined) return { hasNoLimit: true };
    const scenario = 'scenario' in entry ? entry.scenario : undefined;
    return { captured: state.amount, capturedAt, ...(scenario && { scenario }) };
  };

  /** The refunds of a charge, that which the provider makes by itself included, and this one behind them. */
  const listOf = (
    paymentId: string,
    money: ChargeMoney,
    further?: RefundEntry,
  ): Promise<readonly RefundEntry[]> => {
    const dueAt = money.capturedAt && Instant.plus(money.capturedAt, aftermathMs);
    const isRefunded =
      money.scenario?.aftermath === 'refunded' && dueAt !== undefined && dueAt <= clock.now();
    return appendToList<RefundEntry>(entries, `${paymentId}/refunds`, (list) => {
      if (isRefunded && money.captured && list.every(({ refundId }) => refundId !== null)) {
        const { left } = acceptedRefunds(money, list, dueAt);
        if (left > 0) return { refundId: null, amount: { ...money.captured, amount: left }, at: dueAt };
      }
      return list.some(({ refundId }) => refundId === further?.refundId) ? undefined : further;
    });
  };

  /** What became of a refund. One that has arrived is entered in the list, where its process may have died before. */
  const outcome = async (refundId: string, entry: Arrived | ProviderOutcome): Promise<RefundState> => {
    if (!('paymentId' in entry)) return entry;
    const { paymentId, amount } = entry;
    const money = await moneyOf(paymentId);
    const now = clock.now();
    await events.ofRefund(refundId, money.scenario, now);
    const list = await listOf(paymentId, money, { refundId, amount, at: now });
    const { accepted, declined } = acceptedRefunds(money, list, now);
    const made = accepted.find((refund) => refund.refundId === refundId);
    if (made === undefined) return { declined };
    const moved = {
      reference: referenceOf(refundId),
      amount,
      id: refundId,
      chargeReference: referenceOf(paymentId),
    };
    // One that has failed late had succeeded, and that is the outcome on its id. The failure is in the snapshot of the charge.
    return statusAt(made, money, now) === 'pending' ? { ...moved, waitsFor: 'provider' } : moved;
  };

  const keep = (refundId: string, entry: Arrived | ProviderOutcome): Promise<Arrived | ProviderOutcome> =>
    entries.keep(refundId, entry);

  return {
    refund: async ({ refundId, chargeReference, amount }: RefundRequest): Promise<RefundState> => {
      const paymentId = idOf(chargeReference) ?? chargeReference;
      return outcome(refundId, await keep(refundId, { paymentId, amount }));
    },

    close: async ({ refundId }: RefundRequest): Promise<RefundState> =>
      outcome(refundId, await keep(refundId, notRefunded)),

    /** All refunds of a charge that were accepted. */
    of: async (paymentId: string): Promise<readonly ProviderRefund[]> => {
      const money = await moneyOf(paymentId);
      const now = clock.now();
      const { accepted } = acceptedRefunds(money, await listOf(paymentId, money), now);
      return accepted.map((refund) => {
        const status = statusAt(refund, money, now);
        return {
          reference: refund.refundId === null ? externalRefundOf(paymentId) : referenceOf(refund.refundId),
          refundId: refund.refundId,
          amount: refund.amount,
          status,
          failure: status === 'failed' ? failedLate : null,
        };
      });
    },

    /** The payment whose charge a refund belongs to. */
    paymentOf: async (refundId: string): Promise<string | undefined> => {
      const entry = await entries.find<Arrived | ProviderOutcome>(refundId);
      return entry !== undefined && 'paymentId' in entry ? entry.paymentId : undefined;
    },
  };
};

const failedLate = { code: 'expired_or_canceled_card', message: 'The card of the payer no longer exists.' };
