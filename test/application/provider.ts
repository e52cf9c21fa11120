import { ApplicationError } from '#application/errors.ts';
import type { PaymentProvider, Verdict } from '#application/ports/payment-provider.ts';
import type { Money } from '#domain/money.ts';

/** What a provider was asked, and what it was asked for. */
interface Call {
  readonly name: 'charge' | 'reverse' | 'findCharge' | 'findReversal';
  readonly id: string;
}

/** What happens to the next charge or reversal: `act` writes it into the ledger and gives the verdict. */
type Behaviour = (act: () => Verdict) => Promise<Verdict>;

/** An answer that comes when the test says so. */
export interface LateAnswer {
  /** Resolves when the provider has been asked. */
  readonly asked: Promise<void>;
  answer(): void;
}

const failed = (): ApplicationError => new ApplicationError('provider-failed', 'The provider failed.');
const timedOut = (): ApplicationError => new ApplicationError('provider-timeout', 'No answer came.');

/** A provider with a ledger, which does what it is told and keeps the promises of its port. */
export const scriptedProvider = () => {
  const verdicts = new Map<string, Verdict>();
  const moved: { readonly id: string; readonly amount: Money }[] = [];
  const calls: Call[] = [];
  const behaviours: Behaviour[] = [];
  const unreachable = new Set<string>();

  const reached = (name: Call['name'], id: string): void => {
    calls.push({ name, id });
    if (unreachable.has(id)) throw failed();
  };

  const move = async (id: string, amount: Money): Promise<Verdict> => {
    const earlier = verdicts.get(id);
    if (earlier !== undefined) return earlier;
    const behave = behaviours.shift() ?? (async (act) => act());
    return behave(() => {
      const verdict = verdicts.get(id) ?? { reference: `ref_${id}` };
      if (!verdicts.has(id)) moved.push({ id, amount });
      verdicts.set(id, verdict);
      return verdict;
    });
  };

  const port: PaymentProvider = {
    name: 'scripted',
    charge: async ({ paymentId, amount }) => {
      reached('charge', paymentId);
      return move(paymentId, amount);
    },
    reverse: async ({ refundId, amount }) => {
      reached('reverse', refundId);
      return move(refundId, amount);
    },
    findCharge: async (payment) => {
      reached('findCharge', payment);
      return verdicts.get(payment);
    },
    findReversal: async (refund) => {
      reached('findReversal', refund);
      return verdicts.get(refund);
    },
  };

  /** The next charge or reversal is declined. */
  const declines = (message = 'The card was declined.'): void => {
    behaviours.push(async () => ({ declined: { code: 'card_declined', message } }));
  };

  /** The next one is declined, and the answer is lost. */
  const declinesAndTimesOut = (id: () => string): void => {
    behaviours.push(async () => {
      verdicts.set(id(), { declined: { code: 'card_declined', message: 'The card was declined.' } });
      throw timedOut();
    });
  };

  /** The next one fails before any money has moved. */
  const fails = (): void => {
    behaviours.push(async () => {
      throw failed();
    });
  };

  /** The next one moves the money, and the answer is lost. */
  const timesOut = (): void => {
    behaviours.push(async (act) => {
      act();
      throw timedOut();
    });
  };

  /** The next one moves the money, and answers when it is told. */
  const answersLate = (): LateAnswer => {
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    behaviours.push(async (act) => {
      const verdict = act();
      asked.resolve();
      await answered.promise;
      return verdict;
    });
    return { asked: asked.promise, answer: answered.resolve };
  };

  return { port, moved, calls, unreachable, declines, declinesAndTimesOut, fails, timesOut, answersLate };
};

export type ScriptedProvider = ReturnType<typeof scriptedProvider>;
