import { sleep } from '#adapters/support/time.ts';
import type {
  BegunCharge,
  Charge,
  ChargeState,
  NextAction,
  OpenCharge,
  ProviderConfirmation,
} from '#application/ports/charge.ts';
import type { Clock } from '#application/ports/system.ts';
import { Instant } from '#domain/instant.ts';
import type { Money } from '#domain/money.ts';
import type { Failure } from '#domain/payment.ts';
import { type Entries, failed, referenceOf } from './ledger.ts';
import type { SandboxEvents } from './provider-events.ts';
import { behaviorOf, decisionDelayMs, declines, type Scenario } from './scenarios.ts';

/** A charge that was not declined at once, under the id of its payment. One of an earlier release has only a reference. */
export interface BegunEntry {
  /** Kept for charges that succeed at once, as an earlier release reads them. */
  readonly reference?: string;
  readonly amount?: Money;
  readonly at?: Instant;
  readonly isManual?: boolean;
  readonly redirects?: boolean;
  readonly scenario?: Scenario;
}

type ChargeEntry = BegunEntry | { readonly declined: Failure };

/** How a charge that has waited was decided. The first decision stands. */
type Decision = { readonly agreedAt: Instant } | { readonly declined: Failure } | { readonly canceled: true };

/** What became of an authorization. The first outcome stands. */
export type CaptureEntry =
  | { readonly captureId: string; readonly amount: Money; readonly at: Instant }
  | { readonly canceled: true };

/** The delay of `tok_slow`, in milliseconds. */
const slowChargeMs = 1_000;

/** How long a charge stays authorized, in milliseconds: seven days. */
const authorizationMs = 7 * 24 * 3_600_000;

const notCharged = { code: 'not_charged', message: 'The provider never received the charge.' };
const consentRequired = {
  code: 'authentication_required',
  message: 'The card requires the consent of the payer, who is not present.',
};

export const captureKey = (paymentId: string): string => `${paymentId}/capture`;
const decisionKey = (paymentId: string): string => `${paymentId}/decision`;

interface Dependencies {
  readonly entries: Entries;
  readonly clock: Clock;
  readonly events: SandboxEvents;
}

/** The charges of the sandbox. Their state follows from the ledger and the time. */
export const sandboxCharges = ({ entries, clock, events }: Dependencies) => {
  /** The decision on a charge that waits. Once its time has come it is kept, so that no cancellation can precede it any more. */
  const decisionOn = async (id: string, { at, scenario = {} }: BegunEntry): Promise<Decision | undefined> => {
    const { waitsFor, decision } = scenario;
    if (at === undefined || waitsFor === undefined) return { agreedAt: at ?? clock.now() };
    const made = await entries.find<Decision>(decisionKey(id));
    if (made !== undefined || decision === undefined) return made;
    const dueAt = Instant.plus(at, decisionDelayMs[waitsFor]);
    if (clock.now() < dueAt) return undefined;
    return entries.keep<Decision>(
      decisionKey(id),
      decision === 'agree' ? { agreedAt: dueAt } : { declined: declines[waitsFor] },
    );
  };

  /** What became of an authorization. It expires by itself. */
  const captureOf = async (id: string, until: Instant): Promise<CaptureEntry | undefined> => {
    const entry = await entries.find<CaptureEntry>(captureKey(id));
    if (entry !== undefined || clock.now() < until) return entry;
    return entries.keep<CaptureEntry>(captureKey(id), { canceled: true });
  };

  const find = (id: string): Promise<ChargeEntry | undefined> => entries.find<ChargeEntry>(id);

  /** What became of a charge, and when its money was captured. */
  const read = async (
    id: string,
    entry: ChargeEntry,
  ): Promise<{ readonly state: ChargeState; readonly capturedAt?: Instant }> => {
    if ('declined' in entry) return { state: entry };
    const reference = referenceOf(id);
    const moved = { reference, ...(entry.amount && { amount: entry.amount, id }) };
    const decision = await decisionOn(id, entry);
    if (decision === undefined) return { state: waiting(id, entry, moved) };
    if ('declined' in decision) return { state: decision };
    if ('canceled' in decision) return { state: { canceled: true, reference } };
    if (!entry.isManual) return { state: moved, capturedAt: decision.agreedAt };
    const captureBefore = Instant.plus(decision.agreedAt, authorizationMs);
    const capture = await captureOf(id, captureBefore);
    if (capture === undefined) return { state: { ...moved, waitsFor: 'capture', captureBefore } };
    if ('canceled' in capture) return { state: { canceled: true, reference } };
    return { state: { ...moved, amount: capture.amount }, capturedAt: capture.at };
  };

  const stateOf = async (id: string, entry: ChargeEntry): Promise<ChargeState> =>
    (await read(id, entry)).state;

  const begin = async (charge: Charge, scenario: Scenario): Promise<ChargeState> => {
    const { paymentId, amount, payer, captureMethod } = charge;
    const { waitsFor, response, ...rest } = scenario;
    if (waitsFor === 'payer' && payer === undefined)
      return entries
        .keep<ChargeEntry>(paymentId, { declined: consentRequired })
        .then((entry) => stateOf(paymentId, entry));
    const isManual = captureMethod === 'manual';
    const at = clock.now();
    const entry: BegunEntry = {
      ...(waitsFor === undefined && !isManual && { reference: referenceOf(paymentId) }),
      ...{ amount, at },
      ...(isManual && { isManual }),
      ...(typeof payer?.returnUrl === 'string' && waitsFor === 'payer' && { redirects: true }),
      ...((waitsFor ?? Object.keys(rest)[0]) !== undefined && {
        scenario: { ...rest, ...(waitsFor && { waitsFor }) },
      }),
    };
    if (entry.scenario !== undefined) await events.ofCharge(paymentId, entry);
    const state = await stateOf(paymentId, await entries.keep<ChargeEntry>(paymentId, entry));
    if (response === 'none') return new Promise(() => undefined);
    if (response === 'slow') await sleep(slowChargeMs);
    return state;
  };

  return {
    find,
    read,
    stateOf,

    charge: async (charge: Charge): Promise<ChargeState> => {
      const { paymentId, paymentMethod } = charge;
      const behavior = behaviorOf(paymentMethod);
      const known = await find(paymentId);
      if (known !== undefined) return stateOf(paymentId, known);
      if (behavior === 'fails') throw failed();
      if ('declined' in behavior)
        return stateOf(paymentId, await entries.keep<ChargeEntry>(paymentId, behavior));
      return begin(charge, behavior);
    },

    /** A charge that waits for its payer is declined for good, too. */
    close: async ({ paymentId }: BegunCharge): Promise<ChargeState> => {
      const entry = await entries.keep<ChargeEntry>(paymentId, { declined: notCharged });
      const state = await stateOf(paymentId, entry);
      if (!('waitsFor' in state) || state.waitsFor !== 'payer') return state;
      await entries.keep<Decision>(decisionKey(paymentId), { declined: notCharged });
      return stateOf(paymentId, entry);
    },

    cancel: async ({ paymentId }: BegunCharge): Promise<ChargeState> => {
      const entry = await entries.keep<ChargeEntry>(paymentId, { declined: notCharged });
      const state = await stateOf(paymentId, entry);
      if (!('waitsFor' in state) || state.waitsFor === 'provider') return state;
      const key = state.waitsFor === 'payer' ? decisionKey(paymentId) : captureKey(paymentId);
      await entries.keep<Decision & CaptureEntry>(key, { canceled: true });
      return stateOf(paymentId, entry);
    },
  };
};

export type SandboxCharges = ReturnType<typeof sandboxCharges>;

const waiting = (id: string, { scenario, redirects }: BegunEntry, moved: ProviderConfirmation): OpenCharge =>
  scenario?.waitsFor === 'payer'
    ? { ...moved, waitsFor: 'payer', nextAction: nextAction(id, redirects === true) }
    : { ...moved, waitsFor: 'provider' };

/** It is made for each response, because the ledger is in the database, which never holds it. */
const nextAction = (id: string, redirects: boolean): NextAction =>
  redirects
    ? { type: 'redirect', url: `https://sandbox.example/consent/${id}` }
    : { type: 'provider_sdk', clientSecret: `${referenceOf(id)}_secret` };
