import { AsyncLocalStorage } from 'node:async_hooks';
import { expect } from 'chai';
import { createApplication } from '#application/application.ts';
import { ApplicationError } from '#application/errors.ts';
import type { ChargeLifecycle } from '#application/ports/charge-lifecycle.ts';
import type { PaymentProvider } from '#application/ports/payment-provider.ts';
import type { StoreUnitOfWork, Work } from '#application/ports/unit-of-work.ts';
import type { Caller } from '#application/preconditions.ts';
import type { Process } from '#application/use-case.ts';
import { asksPayer, isHeld, reconciledShop, succeeds } from './reconciled-shop.ts';

const day = 24 * 3_600_000;
const declined = { declined: { code: 'no', message: 'No.' } };
const unanswered = (): never => {
  throw new ApplicationError('provider-timeout', 'No answer came.');
};
const durations = { lease: 30_000, reconcileAfter: 60_000, orderLifetime: 0 };

/** Notes each call of a provider, and whether it was made while a transaction was open. */
const noted = (port: PaymentProvider, isInside: () => boolean) => {
  const calls = new Map<string, boolean>();
  const noting = <T extends object>(target: T): T =>
    new Proxy(target, {
      get: (from, name) => {
        const value: unknown = Reflect.get(from, name);
        if (typeof value !== 'function') return value;
        return (...input: unknown[]) => {
          calls.set(String(name), isInside() || calls.get(String(name)) === true);
          return Reflect.apply(value, from, input);
        };
      },
    });
  const parseWebhook: ChargeLifecycle['parseWebhook'] = async () => [];
  const lifecycle = noting({ ...(port.lifecycle ?? expect.fail('It can be asked later.')), parseWebhook });
  return { calls, provider: noting({ ...port, lifecycle }) };
};

describe('The provider', () => {
  it('is asked outside of every transaction, whatever it is asked', async () => {
    const shop = await reconciledShop();
    const open = new AsyncLocalStorage<true>();
    const store = shop.ports.unitOfWork;
    const unitOfWork: StoreUnitOfWork = {
      run: (work, context) => store.run((all) => open.run(true, () => work(all)), context),
      read: (reading, context) => store.read((all) => open.run(true, () => reading(all)), context),
    };
    const { calls, provider } = noted(shop.provider.port, () => open.getStore() === true);
    const app = createApplication({ ...shop.ports, unitOfWork, provider }, durations);
    const { payments, captures, refunds } = app.useCases;

    /** Runs a process under a key of its own, whatever becomes of it. */
    const process = async <I, R>(
      useCase: Process<I, R>,
      caller: Caller,
      input: NoInfer<I>,
    ): Promise<void> => {
      const request = { userId: caller.userId, role: caller.role, key: shop.newId(), fingerprint: '' };
      await app.idempotency.process(request, useCase(caller, input), () => '').catch(() => undefined);
    };
    const record = async <T>(work: { readonly found: T } | { readonly record: Work<T> }) =>
      'record' in work ? app.unitOfWork.run(work.record) : work.found;
    const { staff } = shop;

    const held = await shop.paid(isHeld, 'manual');
    const paid = await shop.paid(succeeds);
    const waiting = await shop.paid(asksPayer);
    const expiring = await shop.paid(isHeld, 'manual');
    for (const { payment } of [held, paid, waiting, expiring])
      shop.becomes(payment.id, succeeds(`ch_${payment.id}`));
    shop.provider.finds(asksPayer(waiting.reference));
    shop.provider.cancels(async ({ reference }) => ({ canceled: true, reference }));
    shop.provider.captures(async () => declined);
    shop.provider.refunds(async () => declined);

    const refunding = await shop.paid(succeeds);
    shop.provider.charges(unanswered);
    const order = await shop.placeOrder(shop.customer, await shop.newProduct());
    await process(payments.pay, shop.customer, { orderId: order.id, paymentMethod: 'tok' });
    await process(captures.create, staff, { paymentId: held.payment.id });
    await process(refunds.create, staff, { paymentId: paid.payment.id, reason: null });
    shop.provider.refunds(async () => unanswered());
    await process(refunds.create, staff, { paymentId: refunding.payment.id, reason: null });
    await record(await payments.refresh.call(waiting.payment));
    await process(payments.cancel, staff, { id: waiting.payment.id, expectedVersions: undefined });
    await app.manualResolution.reconcile(paid.payment.id);
    await app.receiveEvent?.({ body: Buffer.from(''), headers: {} });

    shop.provider.belongs('re_1', paid.reference);
    await shop.enqueue({ kind: 'refund', reference: 're_1' });
    shop.advance(8 * day);
    const { reconcileCharges, pollProviderEvents, expirePayments, recoverAbandonedProcesses } =
      app.backgroundJobs;
    for (const job of [reconcileCharges, pollProviderEvents, expirePayments, recoverAbandonedProcesses])
      await job();

    expect([...calls].filter(([, isInside]) => isInside)).to.deep.equal([]);
    expect([...calls.keys()]).to.have.members([
      ...['charge', 'closeCharge', 'refund', 'closeRefund', 'findCharge', 'cancel', 'capture'],
      ...['retrieveCharge', 'findChargeOf', 'listProviderEvents', 'parseWebhook'],
    ]);
  });
});
