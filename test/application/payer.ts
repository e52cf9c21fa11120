import { ApplicationError } from '#application/errors.ts';
import type { Charge, ChargeState, NextAction } from '#application/ports/charge.ts';
import type { ChargeLifecycle } from '#application/ports/charge-lifecycle.ts';
import type { PaymentProvider } from '#application/ports/payment-provider.ts';

/** A call that asks what became of a charge, with the payment's id. */
interface Question {
  readonly name: 'findCharge' | 'cancel';
  readonly id: string;
  /** The reference of the charge, if the question names one. */
  readonly reference?: string;
}

const unused = (): never => {
  throw new Error('No test of payers needs it.');
};

export const secret = 'secret_of_the_payer';
export const redirectUrl = 'https://bank.example/consent/of-the-payer';

/** Another provider that asks each payer who is present, and lets the test act for them. */
export const askingPayers = (others: PaymentProvider) => {
  const states = new Map<string, ChargeState>();
  const questions: Question[] = [];
  const charges: Charge[] = [];
  let isAvailable = true;
  let isSlow = false;
  let losesResponses = false;
  let consentsAtCancel = false;

  const referenceOf = (id: string) => ({ reference: `ch_${id}` });

  const ask = ({ paymentId, payer }: Charge): ChargeState => {
    const nextAction: NextAction =
      typeof payer?.returnUrl === 'string'
        ? { type: 'redirect', url: redirectUrl }
        : { type: 'provider_sdk', clientSecret: secret };
    return { ...referenceOf(paymentId), waitsFor: 'payer', nextAction };
  };

  const reached = async (question: Question): Promise<void> => {
    questions.push(question);
    if (isSlow) await new Promise(() => undefined);
    if (!isAvailable) throw new ApplicationError('provider-timeout', 'No answer came.');
  };

  const waitsForPayer = (id: string): boolean => {
    const state = states.get(id);
    return state !== undefined && 'waitsFor' in state && state.waitsFor === 'payer';
  };

  const giveUp = (id: string): ChargeState => {
    if (waitsForPayer(id))
      states.set(id, consentsAtCancel ? referenceOf(id) : { canceled: true, ...referenceOf(id) });
    return states.get(id) ?? { declined: { code: 'not_charged', message: 'It never came.' } };
  };

  const lifecycle: ChargeLifecycle = {
    asksPayer: true,
    findCharge: async ({ paymentId: id, reference }) => {
      await reached({ name: 'findCharge', id, ...(reference !== undefined && { reference }) });
      return states.get(id);
    },
    cancel: async ({ paymentId: id }) => {
      await reached({ name: 'cancel', id });
      return giveUp(id);
    },
    retrieveCharge: unused,
  };

  const port: PaymentProvider = {
    get name() {
      return others.name;
    },
    idempotencyWindowMs: others.idempotencyWindowMs,
    charge: async (charge) => {
      if (charge.payer === undefined) return others.charge(charge);
      charges.push(charge);
      const state = states.get(charge.paymentId) ?? ask(charge);
      states.set(charge.paymentId, state);
      if (losesResponses) throw new ApplicationError('provider-timeout', 'No answer came.');
      return state;
    },
    closeCharge: async (charge) =>
      states.has(charge.paymentId) ? giveUp(charge.paymentId) : others.closeCharge(charge),
    refund: others.refund,
    closeRefund: others.closeRefund,
    lifecycle,
  };

  return {
    ...{ port, questions, charges },
    /** What became of the charge of a payment, at the provider. */
    says: ({ id }: { readonly id: string }, state: ChargeState | undefined): void => {
      if (state === undefined) states.delete(id);
      else states.set(id, state);
    },
    stateOf: ({ id }: { readonly id: string }) => states.get(id),
    consents: ({ id }: { readonly id: string }): void => {
      if (waitsForPayer(id)) states.set(id, referenceOf(id));
    },
    /** Consents at the very instant of each cancellation. */
    consentsAtCancel: (): void => {
      consentsAtCancel = true;
    },
    isAvailable: (is: boolean): void => {
      isAvailable = is;
    },
    isSlow: (is: boolean): void => {
      isSlow = is;
    },
    losesResponses: (does: boolean): void => {
      losesResponses = does;
    },
  };
};

export type Payer = ReturnType<typeof askingPayers>;
