import type { FieldError } from './errors.ts';
import { type CaptureMethod, offline } from './payment.ts';

/** What a client asks for, as far as its fields have to fit together. */
export interface PaymentRequest {
  readonly paymentMethod: string;
  readonly reference?: string | undefined;
  /** Whether the payer can be asked for consent. */
  readonly payerPresent?: boolean | undefined;
  readonly returnUrl?: string | undefined;
  readonly capture?: CaptureMethod | undefined;
}

/** @returns a field that does not fit the others, with a message for the client; undefined when all fit */
export const misplacedPaymentField = ({
  paymentMethod,
  reference,
  payerPresent,
  returnUrl,
  capture,
}: PaymentRequest): FieldError | undefined => {
  const isOffline = paymentMethod === offline;
  if (reference !== undefined && !isOffline)
    return { field: 'reference', message: `is only for the payment method ${offline}` };
  if (payerPresent === true && isOffline)
    return { field: 'payerPresent', message: `must be false for the payment method ${offline}` };
  if (returnUrl !== undefined && payerPresent !== true)
    return { field: 'returnUrl', message: 'is only for a payment whose payer is present' };
  if (capture !== undefined && isOffline)
    return { field: 'capture', message: `is not for the payment method ${offline}` };
  return undefined;
};
