import { Clock } from './clock.ts';
import { Collection } from './collection.ts';
import type { Charge, ConfirmationToken, Dispute, Endpoint, Intent, Refund, StripeEvent } from './objects.ts';
import { ok, type StripeResponse } from './response.ts';

/** What one merchant has at the provider, gone with the process. */
export class Account {
  readonly clock = new Clock();
  readonly intents = new Collection<Intent>('payment_intent', 'pi', this.clock);
  readonly tokens = new Collection<ConfirmationToken>('confirmation token', 'ctoken', this.clock);
  readonly charges = new Collection<Charge>('charge', 'ch', this.clock);
  readonly refunds = new Collection<Refund>('refund', 're', this.clock);
  readonly disputes = new Collection<Dispute>('dispute', 'du', this.clock);
  readonly events = new Collection<StripeEvent>('event', 'evt', this.clock);
  readonly endpoints = new Collection<Endpoint>('webhook endpoint', 'we', this.clock);
  /** How long banks take to decide on what is not decided at once, in milliseconds. */
  bankMilliseconds = 60 * 60 * 1000;
  /** How far the search index lags behind, in milliseconds. */
  searchLagMilliseconds = 0;
  /** How late the list of events shows what has happened, in milliseconds. */
  eventLagMilliseconds = 0;
  /** With which status a refund begins; undefined to leave it to the payment method. */
  refundsBegin: () => Refund['status'] | undefined = () => undefined;
  /** What restricted keys may not do: the method and the path of each request, such as `GET /v1/events`. */
  forbidden: readonly string[] = [];
  /** How the bank decides later on a charge that it would approve at once; undefined when it does not wait. */
  chargesWait: () => Charge['delayed'] | undefined = () => undefined;
  /** Whether the bank declines to capture what it has authorized. */
  declinesCaptures = false;
  /**
   * Whether the account has a version of the API from before 2025-03-31.basil, with which its dashboard shows what it gives back unused as
   * a refund. https://docs.stripe.com/changelog/basil/2025-03-31/remove-refund-from-partial-capture-and-payment-cancellation-flow
   */
  refundsReleases = false;
  /** Called with each event. */
  readonly listeners: ((event: StripeEvent) => void)[] = [];

  /** @param snapshot the view of what has changed */
  emit(type: string, snapshot: StripeEvent['snapshot']): void {
    const event = this.events.add({ type, snapshot: structuredClone(snapshot), pending: new Set() });
    for (const listener of this.listeners) listener(event);
  }

  /** The money that has moved. What was authorized and given back unused has not. */
  ledger() {
    return {
      charges: this.charges.rows
        .filter(({ status, captured }) => status === 'succeeded' && captured)
        .map(({ intent, amountCaptured, paidAt }) => ({
          id: intent.id,
          payment_id: intent.metadata.payment_id ?? null,
          amount: amountCaptured,
          /** The capture that has taken the money; null when it was taken at once. */
          capture_id: intent.metadata.capture_id ?? null,
          currency: intent.currency,
          at: new Date(paidAt).toISOString(),
        })),
      refunds: this.refunds.rows
        .filter(({ status, releases }) => !releases && status !== 'failed' && status !== 'canceled')
        .map(({ id, metadata, charge, amount, status, createdAt }) => ({
          id,
          refund_id: metadata.refund_id ?? null,
          payment_intent: charge.intent.id,
          amount,
          status,
          at: new Date(createdAt).toISOString(),
        })),
      /** What has moved no money in the end, though some had succeeded before. */
      failedRefunds: this.refunds.rows
        .filter(({ status, releases }) => !releases && (status === 'failed' || status === 'canceled'))
        .map(({ id, metadata, charge, amount }) => ({
          id,
          refund_id: metadata.refund_id ?? null,
          payment_intent: charge.intent.id,
          amount,
        })),
      /** What takes money later, or not at all. */
      open: this.intents.rows
        .filter(({ status }) => status !== 'succeeded' && status !== 'canceled')
        .map(({ id, metadata, status }) => ({
          id,
          payment_id: metadata.payment_id ?? null,
          status,
          /** Whether the payer was given what lets them confirm it, again and again. */
          payer_present: metadata.payer_present === 'true',
        })),
      /** What a merchant has captured in the dashboard, and what takes no money any more. */
      capturedInDashboard: this.intents.rows
        .filter(({ captureMethod, status, metadata }) => {
          return captureMethod === 'manual' && status === 'succeeded' && metadata.capture_id === undefined;
        })
        .map(({ id }) => id),
      canceled: this.intents.rows
        .filter(({ status }) => status === 'canceled')
        .map(({ id, metadata, isCanceledInDashboard }) => ({
          id,
          payment_id: metadata.payment_id ?? null,
          in_dashboard: isCanceledInDashboard,
        })),
      disputes: this.disputes.rows.map(({ id, charge, amount, reason, status }) => ({
        id,
        payment_intent: charge.intent.id,
        amount,
        reason,
        status,
      })),
      /** When the newest event of each type happened, in milliseconds. */
      newestEvents: Object.fromEntries(this.events.rows.map(({ type, createdAt }) => [type, createdAt])),
    };
  }
}

/** https://docs.stripe.com/api/accounts/object, of the merchant whose key it is. */
export const getAccount = (): StripeResponse =>
  ok({
    id: 'acct_1',
    object: 'account',
    capabilities: { card_payments: 'active', sepa_debit_payments: 'active' },
    charges_enabled: true,
    type: 'standard',
  });

export type Ledger = ReturnType<Account['ledger']>;
