import { paymentView } from '#adapters/http/v1/payments.ts';
import { refundView } from '#adapters/http/v1/refunds.ts';
import type { Application } from '#application/application.ts';
import { ApplicationError, ProviderMismatch } from '#application/errors.ts';
import type { Verdict } from '#application/ports/payment-provider.ts';
import { DomainError } from '#domain/errors.ts';
import type { Payment, PaymentId } from '#domain/payment.ts';
import type { Refund, RefundId } from '#domain/refund.ts';
import { Id } from '#domain/resource.ts';
import { label } from '#domain/text.ts';
import { command, flag, nonEmpty, required, value } from '../framework/command.ts';
import { UsageError } from '../framework/exit-codes.ts';
import { withExistingApplication } from '../open-application.ts';
import { systemCaller } from '../system-caller.ts';

/** As long as the reference of any provider. */
const providerReference = label(1, 255);

/** A payment or refund. */
type Subject = { readonly payment: Payment } | { readonly refund: Refund };

const failedByOperator = { code: 'settled_by_operator', message: 'An operator has settled it as failed.' };

export const paymentsSettle = command({
  name: 'payments settle',
  description: 'Settle a pending payment or refund.',
  details: [
    'Without an option the provider is asked again, and its word is recorded when it matches. When it does not match, look at the payment in the books of the provider, and then say what you found there.',
  ],
  operands: {
    id: required('ID', {
      description: 'The ID of the payment or refund.',
      expects: 'the ID of a payment or refund',
      parse: (text) => Id.parse<PaymentId & RefundId>(text),
    }),
  },
  options: {
    succeeded: value('REFERENCE', {
      description: "The provider took or refunded the right amount, under this reference of the provider's.",
      rule: providerReference,
      parse: nonEmpty,
    }),
    failed: flag('The provider took or refunded nothing, or you have reversed it there.'),
    json: flag('Print the payment or refund as JSON.'),
  },
  run: ({ id, succeeded, failed, json }, terminal) => {
    if (failed && succeeded !== undefined) {
      throw new UsageError('payments settle takes either --succeeded or --failed.');
    }
    return withExistingApplication(async ({ application }) => {
      await requirePending(application, id);
      if (failed) await settle(application, id, { declined: failedByOperator });
      else if (succeeded !== undefined) await settle(application, id, { reference: succeeded });
      else await application.settleNow(id).catch(explain(id));
      const settled = await find(application, id);
      if (json) return terminal.print(`${JSON.stringify(encode(settled))}\n`);
      return terminal.notify(`The ${nameOf(settled)} ${id} is ${statusOf(settled)}.`);
    });
  },
});

/** @throws DomainError 'not-found' */
const find = async ({ unitOfWork }: Application, id: PaymentId & RefundId): Promise<Subject> => {
  const [payment, refund] = await unitOfWork.read(({ payments, refunds }) =>
    Promise.all([payments.find(id), refunds.find(id)]),
  );
  if (payment !== undefined) return { payment };
  if (refund !== undefined) return { refund };
  throw new DomainError('not-found', `There is no payment or refund ${id}.`);
};

/** @throws DomainError 'invalid-state' */
const requirePending = async (application: Application, id: PaymentId & RefundId): Promise<void> => {
  const subject = await find(application, id);
  if (statusOf(subject) === 'pending') return;
  throw new DomainError(
    'invalid-state',
    `The ${nameOf(subject)} ${id} is already settled: it is ${statusOf(subject)}.`,
  );
};

/** Records what the operator has found, and ends the process, so that the background jobs do not ask the provider again. */
const settle = async (
  application: Application,
  id: PaymentId & RefundId,
  verdict: Verdict,
): Promise<void> => {
  const { unitOfWork, undecorated } = application;
  const input = { id, verdict };
  if ('payment' in (await find(application, id))) {
    await unitOfWork.run(undecorated.payments.settle(systemCaller, input));
  } else {
    await unitOfWork.run(undecorated.refunds.settle(systemCaller, input));
  }
  await application.settleNow(id).catch((error: unknown) => {
    // Another process works on it now. It finds the payment settled, and ends the process itself.
    if (!(error instanceof ApplicationError) || error.kind !== 'key-in-progress') throw error;
  });
};

/** Says what to do when the provider's word could not be recorded. */
const explain =
  (id: string) =>
  (error: unknown): never => {
    if (error instanceof ProviderMismatch) {
      throw new DomainError(
        'invalid-state',
        `The provider does not confirm ${id}. ${error.difference} Look it up at the provider, then add --succeeded REFERENCE or --failed.`,
      );
    }
    if (error instanceof ApplicationError && error.kind === 'key-in-progress') {
      throw new DomainError('invalid-state', `Another process works on ${id}. Try again in a minute.`);
    }
    throw error;
  };

const encode = (subject: Subject): object =>
  'payment' in subject ? paymentView.encode(subject.payment) : refundView.encode(subject.refund);

const nameOf = (subject: Subject): string => ('payment' in subject ? 'payment' : 'refund');

const statusOf = (subject: Subject): string =>
  'payment' in subject ? subject.payment.status : subject.refund.status;
