import { ApplicationError } from '#application/errors.ts';
import type { PaymentProvider, ProviderOutcome } from '#application/ports/payment-provider.ts';
import type { Money } from '#domain/money.ts';
import type { Failure } from '#domain/payment.ts';

/** A call to the provider, with its argument. */
interface Call {
  readonly name: 'charge' | 'refund' | 'closeCharge' | 'closeRefund';
  readonly id: string;
}

/** Writes what it comes to into the ledger, once and for all, and gives the outcome. */
type Settle = (declined?: Failure) => ProviderOutcome;

/** What happens to the next charge or refund. */
type Behaviour = (settle: Settle) => Promise<ProviderOutcome>;

/** A response that the test releases. */
interface LateResponse {
  /** Resolves when the provider has been called. */
  readonly called: Promise<void>;
  respond(): void;
}

const hour = 60 * 60 * 1000;

const notCharged = { code: 'not_charged', message: 'The provider never received the charge.' };
const notRefunded = { code: 'not_refunded', message: 'The provider never received the refund.' };

const lost = (): never => {
  throw new Error('Nothing was sent that could arrive.');
};

const failed = (): ApplicationError => new ApplicationError('provider-failed', 'The provider failed.');
const timedOut = (): ApplicationError => new ApplicationError('provider-timeout', 'No answer came.');

/** A scripted provider with a ledger, which fulfills the contract of its port. */
export const scriptedProvider = () => {
  const outcomes = new Map<string, ProviderOutcome>();
  const moved: { readonly id: string; readonly amount: Money }[] = [];
  const calls: Call[] = [];
  const behaviours: Behaviour[] = [];
  const unreachable = new Set<string>();

  const reached = (name: Call['name'], id: string): void => {
    calls.push({ name, id });
    if (unreachable.has(id)) throw failed();
  };

  const move = async (id: string, amount: Money): Promise<ProviderOutcome> => {
    const settle: Settle = (declined) => {
      const outcome = outcomes.get(id) ?? (declined ? { declined } : { reference: `ref_${id}` });
      if (!outcomes.has(id) && !declined) moved.push({ id, amount });
      outcomes.set(id, outcome);
      return outcome;
    };
    if (outcomes.has(id)) return settle();
    const behave = behaviours.shift() ?? (async () => settle());
    return behave(settle);
  };

  const close = (id: string, declined: Failure): ProviderOutcome => {
    const outcome = outcomes.get(id) ?? { declined };
    outcomes.set(id, outcome);
    return outcome;
  };

  let retell = (outcome: ProviderOutcome): ProviderOutcome => outcome;

  /** From now on the provider says this about money that it has moved; undefined for the truth. */
  const claims = (words: object | undefined): void => {
    retell = (outcome) =>
      'declined' in outcome || words === undefined ? outcome : ({ ...outcome, ...words } as ProviderOutcome);
  };

  let name = 'scripted';
  const port: PaymentProvider = {
    get name() {
      return name;
    },
    idempotencyWindowMs: 23 * hour,
    charge: async ({ paymentId, amount }) => {
      reached('charge', paymentId);
      return retell(await move(paymentId, amount));
    },
    refund: async ({ refundId, amount }) => {
      reached('refund', refundId);
      return retell(await move(refundId, amount));
    },
    closeCharge: async ({ paymentId }) => {
      reached('closeCharge', paymentId);
      return retell(close(paymentId, notCharged));
    },
    closeRefund: async ({ refundId }) => {
      reached('closeRefund', refundId);
      return retell(close(refundId, notRefunded));
    },
  };

  /** The next charge or refund is declined. */
  const declines = (message = 'The card was declined.'): void => {
    behaviours.push(async (settle) => settle({ code: 'card_declined', message }));
  };

  /** The next request is declined, and its response is lost. */
  const declinesAndTimesOut = (): void => {
    behaviours.push(async (settle) => {
      settle({ code: 'card_declined', message: 'The card was declined.' });
      throw timedOut();
    });
  };

  /** The next one fails before any money has moved. */
  const fails = (): void => {
    behaviours.push(async () => {
      throw failed();
    });
  };

  /** The next request moves the money, and its response is lost. */
  const timesOut = (): void => {
    behaviours.push(async (settle) => {
      settle();
      throw timedOut();
    });
  };

  const later = (response: (settle: Settle) => ProviderOutcome): LateResponse => {
    const requested = Promise.withResolvers<void>();
    const reported = Promise.withResolvers<void>();
    behaviours.push(async (settle) => {
      settle();
      requested.resolve();
      await reported.promise;
      return response(settle);
    });
    return { called: requested.promise, respond: reported.resolve };
  };

  /** The next request is delayed, and arrives when the test releases it, long after its client has given up. */
  const arrivesLate = (): { arrive(): ProviderOutcome } => {
    const arrival: { settle: Settle | undefined } = { settle: undefined };
    behaviours.push(async (settle) => {
      arrival.settle = settle;
      throw timedOut();
    });
    return { arrive: () => arrival.settle?.() ?? lost() };
  };

  /** The next request moves the money at once, and responds when the test releases it. */
  const answersLate = (): LateResponse => later((settle) => settle());

  /** The next request moves the money at once, and times out when the test releases it. */
  const timesOutLate = (): LateResponse =>
    later(() => {
      throw timedOut();
    });

  /** Another provider has taken its place. */
  const rename = (another: string): void => {
    name = another;
  };

  return {
    ...{ port, rename, claims, moved, calls, unreachable },
    ...{ declines, declinesAndTimesOut, fails, timesOut, arrivesLate, answersLate, timesOutLate },
  };
};
