import { Random } from '#test/support/random.ts';
import type { Account } from './account.ts';
import { authenticate } from './attempts.ts';
import { captureIntent } from './captures.ts';
import { disputeCharge, moveDispute } from './disputes.ts';
import { cancelInDashboard, confirmIntent } from './intents.ts';
import type { Charge, Dispute, Refund, StripeEvent } from './objects.ts';
import { createRefund, failRefund, moveRefund } from './refunds.ts';
import { amountLeft } from './views.ts';
import type { Deliveries } from './webhooks/deliveries.ts';

/** How people behave. All but the seed and the time are chances from 0 to 1, and 0 by default. */
export interface Conduct {
  readonly seed: number;
  /** Each acts at an instant of its own within this time, in milliseconds. */
  readonly withinMilliseconds: number;
  /** What a payer who is asked does; otherwise nothing. */
  readonly consents?: number;
  readonly refuses?: number;
  /** Whether a payer who refused or was declined pays with another card, by the client secret. */
  readonly retries?: number;
  /** Whether a charge is refunded in the dashboard, in part. */
  readonly refundsOutside?: number;
  /** Whether a charge that is authorized is captured in the dashboard, in full or in part, or one that waits is canceled there. */
  readonly capturesOutside?: number;
  readonly cancelsOutside?: number;
  readonly disputes?: number;
  /** Whether the bank decides later on a charge that it would approve at once, and whether it then declines. */
  readonly chargesWait?: number;
  readonly chargesFail?: number;
  /** Whether a refund waits for the bank. */
  readonly refundsWait?: number;
  /** Whether a refund fails in the end, even if it had succeeded. */
  readonly refundsFail?: number;
  /** Whether a webhook never arrives, arrives twice, or comes with one that a forger has signed. */
  readonly webhooksLost?: number;
  readonly webhooksTwice?: number;
  readonly webhooksForged?: number;
}

/** Payers, banks and merchants who act by themselves. Webhooks arrive in any order. */
export class People {
  readonly #account: Account;
  readonly #deliveries: Deliveries;
  readonly #conduct: Conduct;
  readonly #random: Random;
  /** The intents whose payer was asked, and so knows the client secret. */
  readonly #asked = new Set<string>();

  constructor(account: Account, deliveries: Deliveries, conduct: Conduct) {
    this.#account = account;
    this.#deliveries = deliveries;
    this.#conduct = conduct;
    this.#random = new Random(conduct.seed);
    deliveries.isWithheld = true;
    account.chargesWait = () => {
      if (!this.#happens(conduct.chargesWait)) return undefined;
      return this.#happens(conduct.chargesFail) ? 'failed' : 'succeeded';
    };
    account.refundsBegin = () => (this.#happens(conduct.refundsWait) ? 'pending' : undefined);
    account.listeners.push((event) => this.#react(event));
  }

  readonly #reactions: Readonly<Record<string, (id: string) => void>> = {
    'payment_intent.requires_action': (id) => {
      this.#asked.add(id);
      this.#later(() => this.#act(id));
      this.#cancelInDashboard(id);
    },
    'payment_intent.amount_capturable_updated': (id) => {
      if (this.#happens(this.#conduct.capturesOutside)) this.#later(() => this.#captureInDashboard(id));
      else this.#cancelInDashboard(id);
    },
    'payment_intent.payment_failed': (id) => {
      if (this.#asked.has(id) && this.#happens(this.#conduct.retries)) this.#later(() => this.#retry(id));
    },
    'charge.succeeded': (id) => this.#visit(this.#account.charges.require(id)),
    'charge.captured': (id) => this.#visit(this.#account.charges.require(id)),
    'refund.created': (id) => this.#decideRefund(this.#account.refunds.require(id)),
    'charge.dispute.created': (id) =>
      this.#later(() => this.#decideDispute(this.#account.disputes.require(id))),
  };

  #react(event: StripeEvent): void {
    this.#announce(event);
    this.#reactions[event.type]?.(event.snapshot.id);
  }

  #act(id: string): void {
    const intent = this.#account.intents.require(id);
    if (intent.status !== 'requires_action') return;
    const { consents = 0, refuses = 0 } = this.#conduct;
    const does = this.#random.weighted({ consents, refuses, waits: Math.max(0, 1 - consents - refuses) });
    if (does !== 'waits') authenticate(this.#account, intent, does === 'consents');
  }

  #retry(id: string): void {
    if (this.#account.intents.require(id).status !== 'requires_payment_method') return;
    confirmIntent(this.#account, new Map([['payment_method', 'pm_card_visa']]), id);
  }

  #captureInDashboard(id: string): void {
    const { amount } = this.#account.intents.require(id);
    const part = this.#happens(1 / 2) ? amount : this.#random.between(1, amount);
    captureIntent(this.#account, new Map([['amount_to_capture', String(part)]]), id);
  }

  #cancelInDashboard(id: string): void {
    if (this.#happens(this.#conduct.cancelsOutside)) this.#later(() => cancelInDashboard(this.#account, id));
  }

  #visit(charge: Charge): void {
    if (!charge.captured) return;
    const { refundsOutside, disputes } = this.#conduct;
    if (this.#happens(refundsOutside)) this.#later(() => this.#refundInDashboard(charge));
    if (this.#happens(disputes)) {
      const isInquiry = this.#happens(1 / 2);
      this.#later(() => {
        if (isLeft(charge)) disputeCharge(this.#account, charge, { isInquiry });
      });
    }
  }

  #refundInDashboard(charge: Charge): void {
    if (!isLeft(charge)) return;
    const amount = this.#random.between(1, amountLeft(charge));
    createRefund(
      this.#account,
      new Map([
        ['charge', charge.id],
        ['amount', String(amount)],
      ]),
    );
  }

  #decideRefund(refund: Refund): void {
    if (refund.releases) return;
    const fails = this.#happens(this.#conduct.refundsFail);
    this.#later(() => {
      if (fails) failRefund(this.#account, refund, 'expired_or_canceled_card');
      else if (refund.status === 'pending') moveRefund(this.#account, refund, 'succeeded');
    });
  }

  #decideDispute(dispute: Dispute): void {
    const isInquiry = dispute.status.startsWith('warning_');
    moveDispute(this.#account, dispute, isInquiry ? 'warning_under_review' : 'under_review');
    const ends = isInquiry ? (['warning_closed', 'needs_response'] as const) : (['won', 'lost'] as const);
    this.#later(() => moveDispute(this.#account, dispute, this.#random.pick(ends)));
  }

  #announce({ id }: StripeEvent): void {
    const { webhooksLost, webhooksTwice, webhooksForged } = this.#conduct;
    const deliver = (secret?: string) =>
      this.#later(() => this.#deliveries.deliver({ events: [id], ...(secret !== undefined && { secret }) }));
    if (this.#happens(webhooksForged)) deliver('whsec_forged');
    if (this.#happens(webhooksLost)) return;
    deliver();
    if (this.#happens(webhooksTwice)) deliver();
  }

  #later(run: () => unknown): void {
    this.#account.clock.after(this.#random.below(this.#conduct.withinMilliseconds), run);
  }

  #happens(chance = 0): boolean {
    return this.#random.chance(chance);
  }
}

const isLeft = (charge: Charge): boolean => amountLeft(charge) > 0;
