import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { redirectUrl } from '../../application/payer.ts';
import { databaseTexts } from '../../support/database-texts.ts';
import { asking } from '../support/asking-provider.ts';
import type { ApiResponse, Client, Json } from '../support/client.ts';
import { expectCreated, expectOne } from '../support/expectations.ts';
import { serviceSuite } from '../support/service.ts';
import { newOrder, newPayment, newProduct, once } from '../support/shop.ts';

export const returnUrl = 'https://shop.example/paid';

/** Pays while the payer is there. */
export const payPresent = (
  client: Client,
  { id }: Json,
  fields: object = {},
  key?: string,
): Promise<ApiResponse> =>
  client.post(
    '/v1/payments',
    { order_id: id, payment_method: 'tok', payer_present: true, ...fields },
    once(key),
  );

export const cancel = (
  client: Client,
  { id }: Json,
  fields: object = {},
  key?: string,
): Promise<ApiResponse> => client.patch(`/v1/payments/${id}`, { status: 'canceled', ...fields }, once(key));

export const describePayerAction = serviceSuite('The action of a payer', asking, (service, kind) => {
  it('is in the response to POST, in no replay, and in no row', async () => {
    const customer = await service.person('customer');
    const key = randomUUID();
    const unpaid = await newOrder(customer, await newProduct(service));
    const first = await payPresent(customer, unpaid, { return_url: returnUrl }, key);
    const payment = expectCreated(first, '/v1/payments');
    expect(payment).to.deep.include({
      status: 'requires_action',
      next_action: { type: 'redirect', url: redirectUrl },
    });
    expect(Date.parse(payment.action_expires_at) - Date.parse(payment.created_at)).to.equal(3_600_000);
    const replay = await payPresent(customer, unpaid, { return_url: returnUrl }, key);
    expect(replay.headers.get('Idempotent-Replayed')).to.equal('true');
    expect(replay.body.data).to.deep.equal({ ...payment, next_action: null });
    const read = await customer.get(`/v1/payments/${payment.id}`);
    expect(read.body.data.next_action).to.deep.equal({ type: 'redirect', url: redirectUrl });
    if (kind === 'memory') return;
    const texts = await databaseTexts(service.databaseUrl);
    expect(texts).to.contain(payment.id).and.not.to.contain(redirectUrl).and.not.to.contain(returnUrl);
  });

  it('ends when the payment is canceled, and its order can be paid again', async () => {
    const customer = await service.person('customer');
    const unpaid = await newOrder(customer, await newProduct(service));
    const payment = expectCreated(await payPresent(customer, unpaid), '/v1/payments');
    const canceled = expectOne(await cancel(customer, payment));
    expect(canceled).to.include({ status: 'canceled', failure: null, next_action: null });
    await newPayment(customer, unpaid);
  });
});
