import { expect } from 'chai';
import type { Json } from '../support/client.ts';
import { expectCreated, expectError, expectInvalid, expectOne } from '../support/expectations.ts';
import { describeService, registered } from '../support/service.ts';
import { newOrder, newPayment, newProduct, nowhere, refund } from '../support/shop.ts';

describeService('The metadata of payments and refunds', {}, (service) => {
  const customer = registered(service, 'customer');
  const staff = registered(service, 'staff');
  let payment: Json;
  let refunded: Json;

  before(async () => {
    payment = await newPayment(customer, await newOrder(customer, await newProduct(service)));
    refunded = expectCreated(await refund(staff, payment), '/v1/refunds');
  });

  const paths = (): readonly string[] => [`/v1/payments/${payment.id}`, `/v1/refunds/${refunded.id}`];

  it('are empty at first, and are read by those who read the resource', async () => {
    for (const path of paths()) expect(expectOne(await customer.get(path)).metadata).to.deep.equal({});
  });

  it('are merged by staff, name by name, without an idempotency key', async () => {
    for (const path of paths()) {
      const before = expectOne(await staff.get(path));
      await staff.patch(path, { metadata: { invoice: '7', till: 'A' } });
      const after = expectOne(await staff.patch(path, { metadata: { till: null, shift: 'late' } }));
      expect(after).to.deep.equal({
        ...before,
        metadata: { invoice: '7', shift: 'late' },
        version: before.version + 2,
        updated_at: after.updated_at,
      });
      expect(expectOne(await customer.get(path))).to.deep.equal(after);
    }
  });

  it('are valid, and the only field that can change', async () => {
    for (const path of paths()) {
      expectInvalid(await staff.patch(path, { metadata: null }), 'metadata');
      expectInvalid(await staff.patch(path, { metadata: { 'a b': 'x' } }), 'metadata.a b');
      expectInvalid(await staff.patch(path, { status: 'failed', amount: 1 }), 'status', 'amount');
      expect((await staff.put(path, { metadata: {} })).status).to.equal(405);
    }
  });

  it('are written by no customer', async () => {
    const other = await service.person('customer');
    const body = { metadata: { a: '1' } };
    for (const path of paths()) {
      expectError(await customer.patch(path, body), 'FORBIDDEN');
      expectError(await other.patch(path, body), 'FORBIDDEN');
    }
    expectError(await customer.patch(`/v1/payments/${nowhere}`, body), 'NOT_FOUND');
    expectError(await staff.patch(`/v1/refunds/${nowhere}`, body), 'NOT_FOUND');
  });
});
