import type {
  CompleteChargeLifecycle,
  ProviderEvent as Event,
  ProviderObject,
} from '#application/ports/charge-lifecycle.ts';
import type { Clock } from '#application/ports/system.ts';
import { Instant } from '#domain/instant.ts';
import { type Entries, referenceOf } from './ledger.ts';
import { aftermathMs, decisionDelayMs, disputeLostMs, type Scenario } from './scenarios.ts';

/** Events that are listed once their time has come. */
interface Announcement {
  readonly at: Instant;
  readonly events: readonly (ProviderObject & { readonly at: Instant })[];
}

/** A charge whose story goes on. */
interface Course {
  readonly at?: Instant;
  readonly isManual?: boolean;
  readonly scenario?: Scenario;
}

/** How far an announcement may stand behind one of a later time, in milliseconds: the skew of clocks, and its latest event. */
const disorderMs = 60_000 + disputeLostMs;

const keyOf = (index: number): string => `news/${index}`;

export const externalRefundOf = (id: string): string => `${referenceOf(id)}_refund`;
export const disputeOf = (id: string): string => `${referenceOf(id)}_dispute`;

/** The sandbox's own list of events. Only what happens later is in it, so that a charge that succeeds at once costs nothing. */
export const sandboxEvents = ({ entries, clock }: { readonly entries: Entries; readonly clock: Clock }) => {
  /** How many announcements there are, as far as this process knows. It only grows: charges are announced beside each other. */
  let known = 0;

  const has = async (index: number): Promise<boolean> => (await entries.find(keyOf(index))) !== undefined;

  /** Finds the end of the list by doubled steps, then by halves. */
  const count = async (): Promise<number> => {
    const from = known;
    let step = 1;
    while (await has(from + step)) step *= 2;
    let [last, missing] = [from + Math.floor(step / 2), from + step];
    while (missing - last > 1) {
      const middle = Math.floor((last + missing) / 2);
      if (await has(middle)) last = middle;
      else missing = middle;
    }
    known = Math.max(known, last);
    return last;
  };

  const announce = async (events: Announcement['events']): Promise<void> => {
    if (events.length === 0) return;
    const announcement: Announcement = { at: clock.now(), events };
    const text = JSON.stringify(announcement);
    for (let index = (await count()) + 1; ; index += 1) {
      const kept = await entries.keep(keyOf(index), announcement);
      known = Math.max(known, index);
      if (JSON.stringify(kept) === text) return;
    }
  };

  const ofAftermath = (id: string, aftermath: Scenario['aftermath'], capturedAt: Instant) => {
    const dueAt = Instant.plus(capturedAt, aftermathMs);
    if (aftermath === 'refunded')
      return [{ kind: 'refund', reference: externalRefundOf(id), at: dueAt }] as const;
    if (aftermath === undefined) return [];
    const dispute = { kind: 'dispute', reference: disputeOf(id) } as const;
    return [
      { ...dispute, at: dueAt },
      { ...dispute, at: Instant.plus(capturedAt, disputeLostMs) },
    ];
  };

  return {
    /** Announces what will happen to a charge, before it is kept. */
    ofCharge: (id: string, { at, isManual, scenario }: Course): Promise<void> => {
      if (at === undefined || scenario === undefined) return Promise.resolve();
      const { waitsFor, decision, aftermath } = scenario;
      if (waitsFor === undefined) return announce(isManual ? [] : ofAftermath(id, aftermath, at));
      if (decision === undefined) return Promise.resolve();
      const dueAt = Instant.plus(at, decisionDelayMs[waitsFor]);
      return announce([{ kind: 'charge', reference: referenceOf(id), at: dueAt }]);
    },

    ofCapture: (id: string, scenario: Scenario | undefined, at: Instant): Promise<void> =>
      announce(ofAftermath(id, scenario?.aftermath, at)),

    ofRefund: (refundId: string, scenario: Scenario | undefined, at: Instant): Promise<void> =>
      scenario?.refunds === undefined
        ? Promise.resolve()
        : announce([{ kind: 'refund', reference: referenceOf(refundId), at: Instant.plus(at, aftermathMs) }]),

    since: async (time: Instant): ReturnType<CompleteChargeLifecycle['listProviderEvents']> => {
      const [now, oldest] = [clock.now(), Instant.plus(time, -disorderMs)];
      const events: (Event & { readonly at: Instant })[] = [];
      for (let index = await count(); index > 0; index -= 1) {
        const announcement = await entries.find<Announcement>(keyOf(index));
        if (announcement === undefined || announcement.at < oldest) break;
        announcement.events.forEach((event, position) => {
          if (event.at >= time && event.at <= now)
            events.push({ ...event, eventId: `sandbox_event_${index}_${position}` });
        });
      }
      const times = events.map(({ at }) => at).sort();
      return {
        events: events.map(({ kind, reference, eventId }) => ({ kind, reference, eventId })),
        newest: times.at(-1) ?? null,
      };
    },
  };
};

export type SandboxEvents = ReturnType<typeof sandboxEvents>;
