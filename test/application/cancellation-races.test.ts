import { expect } from 'chai';
import { ApplicationError } from '#application/errors.ts';
import type { ChargeState } from '#application/ports/charge.ts';
import { type CaptureMethod, Payment } from '#domain/payment.ts';
import { ofEachTest } from '../support/of-each-test.ts';
import { kindOf } from './error-kind.ts';
import { asksPayer, isHeld, reconciledShop } from './reconciliation/reconciled-shop.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const euros = (amount: number) => ({ amount, currency: 'EUR' });

const noAnswer = async (): Promise<never> => {
  throw new ApplicationError('provider-timeout', 'No answer came.');
};

describe('The cancellation of a payment against what happens at the same time', () => {
  const shop = ofEachTest(reconciledShop);
  const process = ofEachTest(() => shop.aProcess());

  const paid = async (state: (reference: string) => ChargeState, method: CaptureMethod = 'manual') => {
    const { payment, order, reference, providerObject } = await shop.paid(state, method);
    const calls: string[] = [];
    shop.provider.cancels(async () => noAnswer());
    const cancel = async (caller = shop.staff, key = 'key') => {
      const input = { id: payment.id, expectedVersions: undefined };
      const request = { userId: caller.userId, role: caller.role, key, fingerprint: 'cancel' };
      const phases = shop.useCases.payments.cancel(caller, input);
      const result = await shop.idempotency.process(request, phases, () => 'stored');
      if (!('outcome' in result)) return 'replayed';
      return 'rejected' in result.outcome ? result.outcome.rejected.kind : result.outcome.done.status;
    };
    const cancels = (become: ChargeState) =>
      shop.provider.cancels(async () => {
        calls.push('cancel');
        return become;
      });
    const capture = (amount?: number) =>
      shop.run(shop.useCases.captures.create, shop.staff, {
        paymentId: payment.id,
        ...(amount !== undefined && { amount: euros(amount) }),
      });
    const retrieves = async (charge: ChargeState) => {
      shop.becomes(payment.id, charge);
      await shop.enqueue(providerObject);
      await process.reconcileCharges();
    };
    const reconciles = async () => {
      shop.advance(2 * minute);
      expect((await process.recoverAbandonedProcesses()).errors).to.deep.equal([]);
    };
    const current = async () => (await shop.paymentOf(payment.id)) ?? expect.fail('It is gone.');
    const captures = async () =>
      (await shop.unitOfWork.read((all) => all.captures.findBy('paymentId', [payment.id]))).map(
        ({ status, amount }) => [status, amount.amount],
      );
    const orderNow = () => shop.unitOfWork.read(({ orders }) => orders.find(order.id));
    return {
      ...{ payment, reference, calls, cancel, cancels, capture, retrieves, reconciles, current, captures },
      orderNow,
    };
  };

  it('loses against a capture of a part in the dashboard: it is rejected, and the payment has succeeded', async () => {
    const { reference, cancel, cancels, current, captures, orderNow } = await paid(isHeld);
    cancels({ reference, amount: euros(100) });
    expect(await cancel()).to.equal('invalid-state');
    expect(await current()).to.include({ status: 'succeeded' });
    expect(Payment.captured(await current())).to.deep.equal(euros(100));
    expect(await captures()).to.deep.equal([['succeeded', 100]]);
    expect(await orderNow()).to.include({ status: 'paid', paying: false });
  });

  it('loses against a capture of ours that began meanwhile, and there is one capture', async () => {
    const { reference, cancel, capture, current, captures } = await paid(isHeld);
    const { promise: isCaptured, resolve } = Promise.withResolvers<void>();
    shop.provider.cancels(async () => {
      shop.provider.captures(async ({ amount }) => {
        await isCaptured;
        return { reference, amount };
      });
      capturing = capture(100);
      await new Promise((later) => setImmediate(later));
      return { reference, amount: euros(100) };
    });
    let capturing: Promise<unknown> = Promise.resolve();
    expect(await cancel()).to.equal('invalid-state');
    expect(await current()).to.include({ status: 'succeeded' });
    resolve();
    await capturing;
    expect(await captures()).to.deep.equal([['succeeded', 100]]);
    expect(Payment.captured(await current())).to.deep.equal(euros(100));
  });

  it('that was interrupted loses against a consent at the instant of its recovery', async () => {
    const { reference, cancel, cancels, reconciles, current, orderNow } = await paid(asksPayer, 'automatic');
    expect(await kindOf(cancel())).to.equal('provider-timeout');
    cancels({ reference });
    await reconciles();
    expect(await current()).to.include({ status: 'succeeded' });
    expect(await orderNow()).to.include({ status: 'paid' });
    expect(await cancel()).to.equal('invalid-state');
  });

  it('that was interrupted loses against a capture in the dashboard at the instant of its recovery', async () => {
    const { reference, cancel, cancels, reconciles, current, captures } = await paid(isHeld);
    expect(await kindOf(cancel())).to.equal('provider-timeout');
    cancels({ reference, amount: euros(100) });
    await reconciles();
    expect(await current()).to.include({ status: 'succeeded' });
    expect(await captures()).to.deep.equal([['succeeded', 100]]);
    expect(await cancel()).to.equal('invalid-state');
  });

  it('that was interrupted leaves a payment that has a capture under way to that capture', async () => {
    const { reference, calls, cancel, cancels, capture, reconciles, current, captures } = await paid(isHeld);
    expect(await kindOf(cancel())).to.equal('provider-timeout');
    shop.provider.captures(noAnswer);
    expect(await kindOf(capture(100))).to.equal('provider-timeout');
    cancels({ canceled: true, reference });
    shop.provider.finds(isHeld(reference));
    expect(await cancel()).to.equal('invalid-state');
    expect(calls).to.deep.equal([]);
    shop.provider.captures(async ({ amount }) => ({ reference, amount }));
    await reconciles();
    expect(calls).to.deep.equal([]);
    expect(await current()).to.include({ status: 'succeeded' });
    expect(await captures()).to.deep.equal([['succeeded', 100]]);
  });

  it('that the provider carried out before it was interrupted wins, although a capture has begun since', async () => {
    const { reference, calls, cancel, capture, reconciles, current, captures } = await paid(isHeld);
    expect(await kindOf(cancel())).to.equal('provider-timeout');
    shop.provider.captures(noAnswer);
    expect(await kindOf(capture(100))).to.equal('provider-timeout');
    shop.provider.finds({ canceled: true, reference });
    expect(await cancel()).to.equal('canceled');
    expect(calls).to.deep.equal([]);
    shop.provider.captures(async () => ({ declined: { code: 'canceled', message: 'It was canceled.' } }));
    await reconciles();
    expect(await current()).to.include({ status: 'canceled' });
    expect(await captures()).to.deep.equal([['failed', 100]]);
  });

  it('of the customer that the provider carried out wins, although the payment was authorized since', async () => {
    const { reference, cancel, retrieves, current } = await paid(asksPayer);
    expect(await kindOf(cancel(shop.customer))).to.equal('provider-timeout');
    await retrieves(isHeld(reference));
    shop.provider.finds({ canceled: true, reference });
    expect(await cancel(shop.customer)).to.equal('canceled');
    expect(await current()).to.include({ status: 'canceled' });
  });

  for (const who of ['customer', 'staff'] as const) {
    const isStaff = who === 'staff';
    it(`of the ${who} that was interrupted ${isStaff ? 'gives up' : 'leaves'} a payment that was authorized since`, async () => {
      const { payment, reference, calls, cancel, cancels, retrieves, reconciles, current } =
        await paid(asksPayer);
      expect(await kindOf(cancel(shop[who]))).to.equal('provider-timeout');
      await retrieves(isHeld(reference));
      cancels({ canceled: true, reference });
      shop.provider.finds(isHeld(reference));
      await reconciles();
      expect(calls).to.deep.equal(isStaff ? ['cancel'] : []);
      expect((await current()).status).to.equal(isStaff ? 'canceled' : 'authorized');
      expect(await cancel(shop[who])).to.equal(isStaff ? 'canceled' : 'invalid-state');
      expect(payment.userId).to.equal(shop.customer.userId);
    });
  }

  describe('by the provider itself', () => {
    const failureOf = async ({ current }: Awaited<ReturnType<typeof paid>>) => {
      const { status, failure } = await current();
      return [status, failure?.code ?? null];
    };

    for (const state of [isHeld, asksPayer])
      it(`has no failure where the payment had not ended (${state === isHeld ? 'authorized' : 'waiting for its payer'})`, async () => {
        const each = await paid(state);
        await each.retrieves({ canceled: true, reference: each.reference });
        expect(await failureOf(each)).to.deep.equal(['canceled', null]);
        expect(await each.orderNow()).to.include({ status: 'pending', paying: false });
      });

    it('because its time was over has the failure that Portico gives', async () => {
      const early = await paid(isHeld);
      await early.retrieves({ canceled: true, reference: early.reference, expired: true });
      expect(await failureOf(early)).to.deep.equal(['canceled', 'authorization_expired']);
      const late = await paid(isHeld);
      shop.advance(7 * day);
      await late.retrieves({ canceled: true, reference: late.reference });
      expect(await failureOf(late)).to.deep.equal(['canceled', 'authorization_expired']);
      const unasked = await paid(asksPayer);
      await unasked.retrieves({ canceled: true, reference: unasked.reference, expired: true });
      expect(await failureOf(unasked)).to.deep.equal(['canceled', 'action_expired']);
    });
  });
});
