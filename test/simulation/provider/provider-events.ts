import type {
  ChargeSnapshot,
  ProviderEvent as ListedNews,
  ProviderObject,
} from '#application/ports/charge-lifecycle.ts';
import { Instant } from '#domain/instant.ts';
import type { Random } from '#test/support/random.ts';
import { type Ledger, type LedgerCharge, stateOf } from './ledger.ts';
import type { Timers } from './timers.ts';

const minute = 60_000;
const hour = 60 * minute;

/** How late an event can be in the provider's own list, in milliseconds. */
const longestListing = 4 * minute;

/** How long after an event the shop may need until it retrieves a charge, in milliseconds, once the network has recovered. */
const timeToLook = longestListing + 6 * minute;

/** What becomes of an event on its way to the shop. */
const fates = ['once', 'twice', 'never', 'late', 'reversed'] as const;

/** An event as the shop gets it. What it tells may be old, or a lie. */
export interface ProviderEvent extends ProviderObject {
  /** A forger may have stolen the secret, so that even a lie is signed. */
  readonly isSigned: boolean;
  readonly tells: () => ChargeSnapshot | undefined;
}

interface Listed extends ListedNews {
  readonly at: number;
  readonly listedAt: number;
}

/** How the shop learns of what happens at the provider: by events that are sent to it, by a list that it reads, or by both. */
export const sources = ['both', 'list only', 'listener only'] as const;

/** The events of the provider. */
export class ProviderEvents {
  readonly source: (typeof sources)[number];
  readonly #timers: Timers;
  readonly #random: Random;
  readonly #list: Listed[] = [];
  readonly #held: ProviderEvent[] = [];
  /** The events that are on their way to a shop which reads no list. */
  readonly #underWay = new Set<ProviderEvent>();
  /** Gets an event. @returns whether the shop has taken it down */
  listener: (event: ProviderEvent) => Promise<boolean> = async () => true;

  constructor(timers: Timers, random: Random) {
    this.#timers = timers;
    this.#random = random;
    this.source = random.pick(sources);
  }

  /** Something has changed at a place. */
  changed(providerObject: ProviderObject, ledger: Ledger): void {
    const { now } = this.#timers;
    const listedAt = now + this.#random.below(this.#random.pick([1, longestListing]));
    this.#list.push({ ...providerObject, eventId: `ev_${this.#list.length}`, at: now, listedAt });
    if (this.source === 'list only') return;
    const tells = () => snapshotOf(ledger.at(providerObject));
    const before = this.#held.splice(0);
    this.#send({ ...providerObject, isSigned: true, tells });
    for (const event of before) this.#deliver(event, 1_000);
  }

  /** Whether the shop was told of all that has happened to a charge, and has had the time to look. */
  hasToldOf({ reference }: LedgerCharge): boolean {
    const events = this.#list.filter((event) => event.reference === reference);
    const last = Math.max(0, ...events.map(({ at }) => at));
    const isUnderWay = [...this.#underWay].some((event) => event.reference === reference);
    return this.#timers.now > last + timeToLook && !isUnderWay;
  }

  since(time: Instant): { readonly events: readonly ListedNews[]; readonly newest: Instant | null } {
    const { now } = this.#timers;
    const events = this.#list.filter(
      ({ at, listedAt }) => listedAt <= now && at >= Instant.milliseconds(time),
    );
    if (events.length === 0) return { events, newest: null };
    return { events, newest: Instant.at(Math.max(...events.map(({ at }) => at))) };
  }

  /** A forger sends events: of nothing at all, and of charges that are there, with lies. */
  planForgeries(ledger: Ledger): void {
    for (let count = this.#random.below(3); count > 0; count -= 1) {
      this.#timers.plan(this.#random.pick([2_000, 10_000, minute, 20 * minute, 20 * hour]), () => {
        const charge =
          ledger.charges.length > 0 && this.#random.chance(0.8) && this.#random.pick(ledger.charges);
        const reference = charge ? charge.reference : 'forged';
        this.#timers.note(`an event is forged: ${reference}`);
        const tells = () => (charge ? lieAbout(charge) : undefined);
        this.#deliver({ kind: 'charge', reference, isSigned: this.#random.chance(0.5), tells }, 0);
      });
    }
  }

  /** Without the list every event comes at last. With it some never do. */
  #send(event: ProviderEvent): void {
    const fate = this.#random.pick(fates);
    if (this.source === 'listener only') this.#underWay.add(event);
    if (fate !== 'once') this.#timers.note(`an event comes ${fate}: ${event.reference}`);
    if (fate === 'reversed') {
      this.#held.push(event);
      // Unless another event releases it before.
      this.#timers.plan(6 * hour, () => {
        if (this.#held.includes(event))
          this.#deliver(this.#held.splice(this.#held.indexOf(event), 1)[0] ?? event, 0);
      });
      return;
    }
    if (fate === 'never' && this.source === 'both') return;
    this.#deliver(event, fate === 'late' ? this.#random.pick([10 * minute, 5 * hour, 70 * hour]) : 100);
    if (fate === 'twice') this.#deliver(event, this.#random.pick([100, 3_000, hour]));
  }

  #deliver(event: ProviderEvent, after: number): void {
    this.#timers.plan(after + this.#random.below(500), async () => {
      if (await this.listener(event)) this.#underWay.delete(event);
      else if (this.source === 'listener only') this.#deliver(event, 10 * minute);
    });
  }
}

export const snapshotOf = (charge: LedgerCharge | undefined): ChargeSnapshot | undefined =>
  charge && {
    reference: charge.reference,
    paymentId: charge.paymentId,
    charge: stateOf(charge),
    refunds: charge.refunds.map((refund) => ({
      ...refund,
      failure:
        refund.status === 'failed' ? { code: 'expired_card', message: 'The card no longer exists.' } : null,
    })),
    disputes: charge.disputes,
  };

/** What was not taken is said to be, and what was taken is said to be given back. */
const lieAbout = (charge: LedgerCharge): ChargeSnapshot | undefined => {
  const { paymentId: id, reference, amount, taken } = charge;
  const told = snapshotOf(charge);
  if (told === undefined) return undefined;
  if (taken === null) return { ...told, charge: { reference, id, amount } };
  const refund = {
    reference: 're_forged',
    refundId: null,
    amount: taken,
    status: 'succeeded',
    failure: null,
  } as const;
  return { ...told, refunds: [...told.refunds, refund] };
};
