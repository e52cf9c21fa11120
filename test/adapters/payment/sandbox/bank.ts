import { sandboxProvider } from '#adapters/payment/sandbox/provider.ts';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import type { BegunCharge, Charge, RefundRequest } from '#application/ports/payment-provider.ts';
import type { CaptureId } from '#domain/capture.ts';
import { Instant } from '#domain/instant.ts';
import type { Money } from '#domain/money.ts';
import { noon } from '../../../contracts/samples.ts';
import { newId } from '../../../support/machine.ts';

export const amount = { amount: 450, currency: 'EUR' };

/** The details of a charge whose payer is not present. */
export const absent = { payer: undefined };

type Begun = BegunCharge & { readonly reference: string };

/** The sandbox over one ledger, with a clock that the test advances. */
export const openBank = async () => {
  const { sandboxLedger } = await openMemory();
  let now = noon;
  /** As a process sees it that has just been started. */
  const processOf = () => sandboxProvider(sandboxLedger, { now: () => now });
  const bank = processOf();
  return {
    ...bank,
    processOf,
    ledger: sandboxLedger,
    now: () => now,
    advance: (milliseconds: number): void => {
      now = Instant.plus(now, milliseconds);
    },
    /** Charges a new payment whose payer is present. */
    begin: async (
      paymentMethod: string,
      details: Omit<Partial<Charge>, 'payer'> & { readonly payer?: Charge['payer'] | undefined } = {},
    ) => {
      const paymentId = newId<Charge['paymentId']>();
      const { payer, ...rest } = { payer: { returnUrl: null }, ...details };
      const charge = { paymentId, amount, age: 0, paymentMethod, ...(payer && { payer }), ...rest };
      const state = await bank.charge(charge);
      const reference = `sandbox_${paymentId}`;
      return { ...charge, reference, state, moved: { reference, amount: charge.amount, id: paymentId } };
    },
    refundPart: (reference: string, part = amount.amount) => {
      const request: RefundRequest = {
        ...{ refundId: newId(), chargeReference: reference },
        amount: { ...amount, amount: part },
      };
      return bank.refund(request).then((state) => ({ ...request, state }));
    },
    capture: (charge: Begun, taken: Money = amount, captureId: CaptureId = newId()) =>
      processOf().lifecycle.capture({
        ...{ captureId, paymentId: charge.paymentId, chargeReference: charge.reference },
        amount: taken,
      }),
  };
};
