import { Clock } from './clock.ts';
import { Collection } from './collection.ts';
import type { Charge, Intent, Refund } from './objects.ts';

/** What one merchant has at the provider, gone with the process. */
export class Account {
  readonly clock = new Clock();
  readonly intents = new Collection<Intent>('pi', this.clock);
  readonly charges = new Collection<Charge>('ch', this.clock);
  readonly refunds = new Collection<Refund>('re', this.clock);
  /** How long banks take to decide on what is not decided at once, in milliseconds. */
  bankMilliseconds = 60 * 60 * 1000;
  /** How far the search index lags behind, in milliseconds. */
  searchLagMilliseconds = 0;

  /** The money that has moved. What was authorized and given back unused has not. */
  ledger() {
    return {
      charges: this.charges.rows
        .filter(({ status, captured }) => status === 'succeeded' && captured)
        .map(({ intent, amountCaptured, paidAt }) => ({
          id: intent.id,
          payment_id: intent.metadata.payment_id ?? null,
          amount: amountCaptured,
          currency: intent.currency,
          at: new Date(paidAt).toISOString(),
        })),
      refunds: this.refunds.rows
        .filter(({ status, releases }) => !releases && status !== 'failed' && status !== 'canceled')
        .map(({ id, metadata, charge, amount, createdAt }) => ({
          id,
          refund_id: metadata.refund_id ?? null,
          payment_intent: charge.intent.id,
          amount,
          at: new Date(createdAt).toISOString(),
        })),
    };
  }
}

export type Ledger = ReturnType<Account['ledger']>;
