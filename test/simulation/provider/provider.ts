import type { ChargeState, ProviderOutcome, RefundState } from '#application/ports/charge.ts';
import type { CaptureRequest, ChargeLifecycle } from '#application/ports/charge-lifecycle.ts';
import type { Charge, PaymentProvider, RefundRequest } from '#application/ports/payment-provider.ts';
import type { Money } from '#domain/money.ts';
import type { Random } from '#test/support/random.ts';
import type { NetworkFaults } from '../network-faults.ts';
import type { Actor, Schedule } from '../schedule.ts';
import { declined, Ledger, type LedgerCharge, type LedgerRefund, stateOf } from './ledger.ts';
import { Mistakes } from './mistakes.ts';
import { Network } from './network.ts';
import { Payers } from './payers.ts';
import { ProviderEvents, snapshotOf } from './provider-events.ts';
import { Refunds } from './refunds.ts';
import { readMessage } from './signature.ts';
import { Timers } from './timers.ts';

const hour = 3_600_000;

/** How long the provider keeps a key, in milliseconds, and how much of that is left for requests in flight. */
const memory = { real: 24 * hour, promised: 23 * hour };

type Declined = ReturnType<typeof declined>;

/**
 * A provider with a ledger at the other end of a bad network. What was sent may arrive although its sender is dead or has stopped
 * waiting; keys are forgotten after a day; the ledger never forgets. Payers and banks decide when they like.
 */
export class SimulatedProvider {
  readonly timers: Timers;
  readonly ledger: Ledger;
  readonly events: ProviderEvents;
  /** The payments that were given up too late, when their money had been taken. */
  readonly lostCancellations = new Set<string>();
  /** Otherwise a charge that was closed may be made all the same. */
  closesForGood = true;
  /** When false, every request counts as new, as if each had a key of its own. */
  knowsKeys = true;
  readonly #keys = new Map<string, { readonly value: unknown; readonly since: number }>();
  readonly #declinedCaptures = new Set<string>();
  /** What was captured in place of what was asked for, by the id of the capture. */
  readonly #mistakenCaptures = new Map<string, ProviderOutcome>();
  readonly #random: Random;
  readonly #network: Network;
  readonly #refunds: Refunds;
  readonly #payers: Payers;
  readonly #mistakes: Mistakes;

  constructor(schedule: Schedule, random: Random, networkFaults: NetworkFaults) {
    this.#random = random;
    this.#network = new Network(schedule, random, networkFaults);
    this.timers = new Timers(schedule);
    this.events = new ProviderEvents(this.timers, random);
    this.ledger = new Ledger((providerObject) => this.events.changed(providerObject, this.ledger));
    this.#refunds = new Refunds(this.timers, random, this.ledger);
    this.#payers = new Payers(this.timers, random, this.ledger, this.#refunds);
    this.#mistakes = new Mistakes(this.timers, random, this.ledger);
  }

  /** As one server sees it. */
  seenBy(server: Actor): PaymentProvider {
    const send = <T>(what: string, arrive: () => T) => this.#network.send(server, what, arrive);
    return {
      name: 'simulated',
      idempotencyWindowMs: memory.promised,
      charge: (charge) => send('charge', () => this.#charge(charge)),
      closeCharge: ({ paymentId }) => send('close charge', () => this.#close(paymentId)),
      refund: (request) => send('refund', () => this.#refund(request)),
      closeRefund: ({ refundId }) => send('close refund', () => this.#closeRefund(refundId)),
      lifecycle: this.#lifecycleFor(server),
    };
  }

  #lifecycleFor(server: Actor): ChargeLifecycle {
    const send = <T>(what: string, arrive: () => T) => this.#network.send(server, what, arrive);
    return {
      asksPayer: true,
      findCharge: ({ paymentId }) => send('find charge', () => this.#find(paymentId)),
      cancel: ({ paymentId, reference }) => send('cancel', () => this.#cancel(paymentId, reference)),
      capture: (request) => send('capture', () => this.#capture(request)),
      retrieveCharge: (reference) =>
        send('retrieve charge', () => snapshotOf(this.ledger.at({ kind: 'charge', reference }))),
      findChargeOf: (providerObject) => send('locate', () => this.ledger.at(providerObject)?.reference),
      parseWebhook: readMessage,
      listProviderEvents: (time) => send('list events', () => this.events.since(time)),
    };
  }

  /** What was decided first under a key stands, for as long as the key is known. */
  #once<T>(id: string, decide: () => T): T {
    const known = this.#known<T>(id);
    if (this.knowsKeys && known !== undefined) return known;
    const value = decide();
    this.#keys.set(id, { value, since: this.timers.now });
    return value;
  }

  #known<T>(id: string): T | undefined {
    const known = this.#keys.get(id);
    const isKnown = known !== undefined && this.timers.now - known.since < memory.real;
    return isKnown ? (known.value as T) : undefined;
  }

  #charge(charge: Charge): ChargeState {
    return this.#tell(
      this.#once(charge.paymentId, () => this.#payers.begin(charge) ?? declined('card_declined')),
    );
  }

  #tell(kept: LedgerCharge | Declined): ChargeState {
    return 'declined' in kept ? kept : stateOf(kept);
  }

  #find(paymentId: string): ChargeState | undefined {
    const charge = this.ledger.of(paymentId);
    if (charge !== undefined) return stateOf(charge);
    const kept = this.#known<LedgerCharge | Declined>(paymentId);
    return kept && this.#tell(kept);
  }

  /** A charge that waits for its payer is closed as well. */
  #close(paymentId: string): ChargeState {
    const charge = this.ledger.of(paymentId);
    const notCharged = declined('not_charged');
    if (charge?.status === 'waits for the payer') {
      this.ledger.move(charge, 'canceled');
      return notCharged;
    }
    if (charge !== undefined) return stateOf(charge);
    return this.closesForGood
      ? this.#tell(this.#once<LedgerCharge | Declined>(paymentId, () => notCharged))
      : notCharged;
  }

  #cancel(paymentId: string, reference: string): ChargeState {
    const charge = this.ledger.at({ kind: 'charge', reference });
    if (charge === undefined) return this.#close(paymentId);
    this.#payers.beforeCancellation(charge);
    if (charge.status === 'waits for the payer' || charge.status === 'authorized')
      this.ledger.move(charge, 'canceled');
    else if (charge.status === 'taken') this.lostCancellations.add(charge.paymentId);
    return stateOf(charge);
  }

  /** It takes money for each capture id, so that only the shop's own rules keep a payment from a second capture. */
  #capture({ captureId, chargeReference, amount }: CaptureRequest): ProviderOutcome {
    const charge = this.ledger.at({ kind: 'charge', reference: chargeReference });
    const before = this.#mistakenCaptures.get(captureId);
    if (before !== undefined) return before;
    const done = charge?.captures.find((capture) => capture.captureId === captureId);
    if (charge !== undefined && done !== undefined)
      return { reference: done.reference, amount: done.amount, id: charge.paymentId };
    if (charge !== undefined) this.#payers.beforeCapture(charge);
    const isOurs = charge?.captures.every((capture) => capture.captureId !== null);
    const isAsked =
      isOurs && charge?.isManual && (charge.status === 'authorized' || charge.status === 'taken');
    if (!isAsked || this.#declinedCaptures.has(captureId) || this.#random.chance(0.1)) {
      this.#declinedCaptures.add(captureId);
      return declined('not_captured');
    }
    const mistaken = charge.status === 'authorized' && this.#mistakes.inCapture(charge, amount);
    if (mistaken) {
      const outcome = this.#captureInstead(mistaken);
      this.#mistakenCaptures.set(captureId, outcome);
      return outcome;
    }
    const reference = this.ledger.reference('cp');
    charge.captures.push({ captureId, amount, reference });
    this.ledger.take(charge, amount);
    this.#payers.taken(charge);
    return { reference, amount, id: charge.paymentId };
  }

  /** The shop cannot tell it from a capture in the dashboard, but by the response. */
  #captureInstead({
    charge,
    amount,
  }: {
    readonly charge: LedgerCharge;
    readonly amount: Money;
  }): ProviderOutcome {
    const { reference, paymentId: id } = charge;
    charge.captures.push({ captureId: null, amount, reference });
    this.ledger.take(charge, amount);
    return { reference, amount, id };
  }

  #refund({ refundId, chargeReference, amount }: RefundRequest): RefundState {
    const charge = this.ledger.at({ kind: 'charge', reference: chargeReference });
    const kept = this.#once(
      refundId,
      () => (charge && this.#make(charge, refundId, amount)) ?? declined('charge_exhausted'),
    );
    return 'declined' in kept ? kept : this.#outcomeOn(kept);
  }

  #make(charge: LedgerCharge, refundId: string, amount: Money): LedgerRefund | undefined {
    const mistaken = this.#mistakes.inRefund(charge, amount);
    return mistaken
      ? this.#refunds.mistake(mistaken.charge, refundId, mistaken.amount)
      : this.#refunds.make(charge, refundId, amount);
  }

  #closeRefund(refundId: string): RefundState {
    const refunds = this.ledger.charges.flatMap((charge) => charge.refunds);
    const made = refunds.find((refund) => refund.refundId === refundId);
    return made === undefined ? declined('not_refunded') : this.#outcomeOn(made);
  }

  /** One that has failed after it had succeeded keeps its first outcome. */
  #outcomeOn({ reference, amount, refundId, status, isLate }: LedgerRefund): RefundState {
    const chargeReference = this.ledger.at({ kind: 'refund', reference })?.reference;
    const moved = {
      ...{ reference, amount },
      ...(refundId !== null && { id: refundId }),
      ...(chargeReference !== undefined && { chargeReference }),
    };
    if (status === 'pending') return { ...moved, waitsFor: 'provider' };
    return status === 'failed' && !isLate ? declined('refund_failed') : moved;
  }
}
