import { randomBytes } from 'node:crypto';

/** Of what merchants may note, these are shown in the ledger. */
export type Metadata = Readonly<Partial<Record<string, string>>> & {
  readonly payment_id?: string;
  readonly refund_id?: string;
};

type IntentStatus = 'requires_payment_method' | 'requires_confirmation' | 'succeeded' | 'canceled';

export interface Intent {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly metadata: Metadata;
  /** Milliseconds. */
  readonly createdAt: number;
  readonly refunds: Refund[];
  status: IntentStatus;
  paymentMethod: string | null;
  lastPaymentError: unknown;
}

export interface Refund {
  readonly id: string;
  readonly intent: Intent;
  readonly amount: number;
  readonly metadata: Metadata;
  readonly createdAt: number;
  status: 'pending' | 'succeeded' | 'failed';
}

interface Movement {
  readonly id: string;
  readonly at: string;
}

/** What one merchant has at the provider, gone with the process. */
export class Account {
  readonly intents: Intent[] = [];
  readonly refunds: Refund[] = [];
  readonly #intentsById = new Map<string, Intent>();
  readonly #charged: (Movement & { readonly intent: Intent })[] = [];

  addIntent(details: Pick<Intent, 'amount' | 'currency' | 'metadata' | 'paymentMethod'>): Intent {
    const intent: Intent = {
      ...details,
      id: newId('pi'),
      createdAt: Date.now(),
      refunds: [],
      status: details.paymentMethod === null ? 'requires_payment_method' : 'requires_confirmation',
      lastPaymentError: null,
    };
    this.intents.push(intent);
    this.#intentsById.set(intent.id, intent);
    return intent;
  }

  intent(id: string): Intent | undefined {
    return this.#intentsById.get(id);
  }

  /** The one place where money moves. */
  take(intent: Intent): void {
    intent.status = 'succeeded';
    this.#charged.push({ id: intent.id, intent, at: new Date().toISOString() });
  }

  addRefund(details: Pick<Refund, 'intent' | 'amount' | 'metadata' | 'status'>): Refund {
    const refund = { ...details, id: newId('re'), createdAt: Date.now() };
    this.refunds.push(refund);
    details.intent.refunds.push(refund);
    return refund;
  }

  ledger() {
    return {
      charges: this.#charged.map(({ id, intent: { metadata, amount, currency }, at }) => ({
        id,
        payment_id: metadata.payment_id ?? null,
        amount,
        currency,
        at,
      })),
      refunds: this.refunds
        .filter(({ status }) => status !== 'failed')
        .map(({ id, metadata, intent, amount, createdAt }) => ({
          id,
          refund_id: metadata.refund_id ?? null,
          payment_intent: intent.id,
          amount,
          at: new Date(createdAt).toISOString(),
        })),
    };
  }
}

export type Ledger = ReturnType<Account['ledger']>;

const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`;
