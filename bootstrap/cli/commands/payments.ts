import type { Application } from '#application/application.ts';
import { ApplicationError, isOfProvider, ProviderMismatch } from '#application/errors.ts';
import type { ProviderOutcome } from '#application/ports/payment-provider.ts';
import { DomainError } from '#domain/errors.ts';
import { Payment } from '#domain/payment.ts';
import { Id } from '#domain/resource.ts';
import { label } from '#domain/text.ts';
import { command, flag, nonEmpty, required, value } from '../framework/command.ts';
import { UsageError } from '../framework/exit-codes.ts';
import { withExistingApplication } from '../open-application.ts';
import { changesBetween, standingOf } from './settled-changes.ts';
import {
  encodeSubject,
  findSubject,
  isOpen,
  paymentIdOf,
  recordOutcome,
  type Subject,
  type SubjectId,
} from './settled-subject.ts';

/** As long as the reference of any provider. */
const providerReference = label(1, 255);

const failedByOperator = { code: 'settled_by_operator', message: 'An operator has settled it as failed.' };

export const paymentsSettle = command({
  name: 'payments settle',
  description: 'Settle a payment, refund or capture.',
  details: [
    'Without an option the provider is asked again, and its word is recorded when it matches. When it does not match, look at the payment in the books of the provider, and then say what you found there.',
    'A refund or dispute that was made at the provider and does not match belongs to its payment: give the ID of the payment, and the reference and the amount that counts.',
  ],
  operands: {
    id: required('ID', {
      description: 'The ID of the payment, refund or capture.',
      expects: 'the ID of a payment, refund or capture',
      parse: (text) => Id.parse<SubjectId>(text),
    }),
  },
  options: {
    succeeded: value('REFERENCE', {
      description:
        "The provider took or refunded the right amount, under this reference of the provider's, which is asked whether it knows it.",
      rule: providerReference,
      parse: nonEmpty,
    }),
    failed: flag(
      'The provider took or refunded nothing, or you have reversed it there. Of a refund that has succeeded: it was settled under a reference that the provider does not know.',
    ),
    movement: value('REFERENCE', {
      description: "The refund or dispute of the payment with this reference of the provider's counts.",
      rule: providerReference,
      parse: nonEmpty,
    }),
    amount: value('AMOUNT', {
      description: 'What of it counts, in the minor unit of the currency of the payment; 0 for nothing.',
      expects: 'a whole number from 0',
      parse: (text) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined),
    }),
    json: flag('Print the payment, refund or capture as JSON.'),
  },
  run: ({ id, succeeded, failed, movement, amount, json }, terminal) => {
    if ([failed, succeeded !== undefined, movement !== undefined].filter(Boolean).length > 1)
      throw new UsageError('payments settle takes one of --succeeded, --failed and --movement.');
    if ((movement === undefined) !== (amount === undefined))
      throw new UsageError('payments settle takes --movement and --amount together.');
    return withExistingApplication(async ({ application }) => {
      const subject = await findSubject(application, id);
      const before = await standingOf(application, paymentIdOf(subject));
      const reportChanges = async (): Promise<number> => {
        const changes = changesBetween(before, await standingOf(application, paymentIdOf(subject)));
        for (const change of changes) await terminal.notify(change);
        return changes.length;
      };
      try {
        if (movement !== undefined && amount !== undefined)
          await application.manualResolution.resolve({
            paymentId: paymentIdOf(subject),
            reference: movement,
            amount,
          });
        else if (failed) await settleAsFailed(application, subject);
        else if (succeeded !== undefined) await settleAsSucceeded(application, subject, succeeded);
        else await ask(application, subject);
      } catch (error) {
        const isUnchanged = (await reportChanges()) === 0;
        // A mismatch of the provider is explained already.
        throw isOfProvider(error) && !(error instanceof ProviderMismatch)
          ? providerFailed(error, isUnchanged)
          : error;
      }
      const settled = await findSubject(application, id);
      if (json) return terminal.print(`${JSON.stringify(encodeSubject(settled))}\n`);
      if ((await reportChanges()) === 0)
        await terminal.notify(`Nothing was changed: the ${settled.kind} ${id} is ${settled.is.status}.`);
      return undefined;
    });
  },
});

/** @throws DomainError 'invalid-state' */
const requireOpen = (subject: Subject): void => {
  if (isOpen(subject)) return;
  const { kind, is } = subject;
  throw new DomainError('invalid-state', `The ${kind} ${is.id} is already settled: it is ${is.status}.`);
};

const settleAsSucceeded = async (
  application: Application,
  subject: Subject,
  reference: string,
): Promise<void> => {
  requireOpen(subject);
  const { references } = application.manualResolution;
  if (subject.kind === 'payment') await references.requireCharge(subject.is, reference);
  if (subject.kind === 'refund') await references.requireRefund(subject.is, reference);
  if (subject.kind === 'capture') await references.requireCapture(subject.is, reference);
  await settle(application, subject, { reference });
};

/** A refund that an operator has settled under a reference that the provider does not know is reverted. */
const settleAsFailed = async (application: Application, subject: Subject): Promise<void> => {
  if (subject.kind === 'refund' && subject.is.status === 'succeeded')
    return application.manualResolution.revertRefund(subject.is);
  requireOpen(subject);
  return settle(application, subject, { declined: failedByOperator });
};

/** Records what the operator has found, and ends the process, so that the background jobs do not ask the provider again. */
const settle = async (
  application: Application,
  subject: Subject,
  outcome: ProviderOutcome,
): Promise<void> => {
  await recordOutcome(application, subject, outcome);
  await application.recoverProcessNow(subject.is.id).catch((error: unknown) => {
    // Another process works on it now. It finds it settled, and ends the process itself.
    if (!(error instanceof ApplicationError) || error.kind !== 'key-in-progress') throw error;
  });
};

/** Asks the provider again: about what is pending, and about all that has happened to the charge. */
const ask = async (application: Application, subject: Subject): Promise<void> => {
  const { id } = subject.is;
  if (subject.kind !== 'payment' || !Payment.isPaid(subject.is)) requireOpen(subject);
  await application.recoverProcessNow(id).catch(explain(id));
  const unfit = await application.manualResolution.reconcile(paymentIdOf(subject)).catch(explain(id));
  const [first, ...others] = unfit.filter((each) => subject.kind === 'payment' || each.subject === id);
  if (first === undefined) return;
  // What of a payment that is paid does not fit is a refund or dispute.
  if (first.subject !== id || isOpen(subject)) explain(first.subject)(first);
  const differences = [first, ...others].map(({ difference }) => difference).join(' ');
  throw differs(id, differences, 'add --movement REFERENCE --amount AMOUNT');
};

/** Explains what to do when the provider's report could not be recorded. */
const explain =
  (id: string) =>
  (error: unknown): never => {
    if (error instanceof ProviderMismatch)
      throw differs(id, error.difference, 'add --succeeded REFERENCE or --failed');
    if (error instanceof ApplicationError && error.kind === 'key-in-progress') {
      throw new DomainError('invalid-state', `Another process works on ${id}. Try again in a minute.`);
    }
    throw error;
  };

const providerFailed = ({ kind, message, cause }: ApplicationError, isUnchanged: boolean): ApplicationError =>
  new ApplicationError(kind, isUnchanged ? `${message} Nothing was changed.` : message, cause);

const differs = (id: string, difference: string, advice: string): DomainError =>
  new DomainError(
    'invalid-state',
    `The provider does not confirm ${id}. ${difference} Look it up at the provider, then ${advice}.`,
  );
