import { expect } from 'chai';
import { seenPayment } from '#adapters/ops/admin/browser/views/order/seen-payment.ts';
import type { Json } from '../../http/support/client.ts';

const euros = (amount: number) => ({ amount, currency: 'EUR' });

const payment = (refunded: number, refunding = 0): Json => ({
  ...{ id: 'payment-1', amount: euros(5000), captured: euros(5000), disputed: euros(0) },
  ...{ refunded: euros(refunded), refunding: euros(refunding) },
});

const order = (of: object): Json => ({ id: 'order-1', status: 'paid', expanded: { payments: [of] } });

const conflict = Object.assign(new Error('It is another sum by now.'), {
  ...{ code: 'CONFLICT', status: 409, details: [{ field: 'expected_refunded', message: '' }] },
});

describe('A payment as a dialog of the admin page has shown it', () => {
  /** @param now the payment as it is by now @param errors what refunds are rejected with, one after the other */
  const shown = (now: object, ...errors: (Error | undefined)[]) => {
    const sent: Json[] = [];
    const send: Json = async (target: string, request: Json) => {
      if (target !== 'POST /refunds') return { data: order(now) };
      sent.push(request.body);
      const error = errors.shift();
      if (error !== undefined) throw error;
      return { data: { id: 'refund-1' } };
    };
    const before = payment(1000, 500);
    return { sent, seen: seenPayment({ api: { send } }, order(before), before) };
  };

  const rejected = (refund: Promise<unknown>): Promise<Json> =>
    refund.then(
      () => expect.fail('It was given.'),
      (error: unknown) => error,
    );

  it('is refunded with what was seen, which pending refunds are part of', async () => {
    const { sent, seen } = shown(payment(1000, 500));
    expect(seen.left()).to.deep.equal(euros(3500));
    expect(await seen.refund({ amount: euros(100) }, 'key')).to.deep.equal({ id: 'refund-1' });
    expect(sent).to.deep.equal([
      { payment_id: 'payment-1', amount: euros(100), expected_refunded: euros(1500) },
    ]);
  });

  it('says what was refunded meanwhile, and is refunded with that when it is confirmed again', async () => {
    const { sent, seen } = shown(payment(2500), conflict);
    const error = await rejected(seen.refund({ amount: euros(100) }, 'key'));
    expect(error.message).to.match(/^€10\.00 was refunded meanwhile\. Yours was not given\./);
    expect(seen.left()).to.deep.equal(euros(2500));
    await seen.refund({ amount: euros(100) }, 'another key');
    expect(sent[1].expected_refunded).to.deep.equal(euros(2500));
  });

  it('says when a refund has failed meanwhile', async () => {
    const { seen } = shown(payment(1000), conflict);
    const error = await rejected(seen.refund({}, 'key'));
    expect(error.message).to.match(/^A refund of €5\.00 has failed meanwhile\./);
  });

  it('passes other errors on, and stays as it was shown', async () => {
    const other = Object.assign(new Error('Less is left.'), { code: 'AMOUNT_EXCEEDED', status: 409 });
    const { seen } = shown(payment(2500), other);
    expect(await rejected(seen.refund({ amount: euros(100) }, 'key'))).to.equal(other);
    expect(seen.left()).to.deep.equal(euros(3500));
  });
});
