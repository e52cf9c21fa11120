import { expect } from 'chai';
import { localKinds } from '../../support/test-databases.ts';
import type { ApiResponse, Client, Json } from '../support/client.ts';
import { expectCreated, expectError, expectOne } from '../support/expectations.ts';
import { serviceSuite } from '../support/service.ts';
import { newOrder, newPayment, newProduct, once, orderNow } from '../support/shop.ts';

export const describeSandboxPayers = serviceSuite('The payers of the sandbox', {}, (service, kind) => {
  let customer: Client;
  let unpaid: Json;

  beforeEach(async () => {
    customer = await service.person('customer');
    unpaid = await newOrder(customer, await newProduct(service));
  });

  const payWith = (payment_method: string): Promise<ApiResponse> =>
    customer.post('/v1/payments', { order_id: unpaid.id, payment_method, payer_present: true }, once());

  const now = async ({ id }: Json): Promise<Json> => expectOne(await customer.get(`/v1/payments/${id}`));

  it('consent after two seconds, which a read records', async () => {
    const begun = service.now;
    const payment = expectCreated(await payWith('tok_action'), '/v1/payments');
    expect(payment.status).to.equal('requires_action');
    expect(payment.next_action).to.be.an('object');
    const paid = await service.until(
      () => now(payment),
      ({ status }) => status !== 'requires_action',
    );
    if (localKinds.includes(kind)) expect(service.now - begun).to.be.within(1_800, 2_600);
    expect(paid.status).to.equal('succeeded');
    expect((await orderNow(customer, unpaid)).status).to.equal('paid');
  });

  it('who never act have their payment canceled by the client, and pay with another', async () => {
    const payment = expectCreated(await payWith('tok_action_never'), '/v1/payments');
    expectError(await payWith('tok_ok'), 'INVALID_STATE');
    const path = `/v1/payments/${payment.id}`;
    expect(expectOne(await customer.patch(path, { status: 'canceled' }, once())).status).to.equal('canceled');
    await newPayment(customer, unpaid);
  });
});
