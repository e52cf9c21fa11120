import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { ApiResponse } from '../support/client.ts';
import { expectCreated, expectError, expectList, expectOne, idsOf } from '../support/expectations.ts';
import { isReplay } from '../support/replays.ts';
import { registered, serviceSuite } from '../support/service.ts';
import { newOrder, newProduct, once, pay, paymentsOf, refund, stockOf, tea } from '../support/shop.ts';

export const describeIdempotencyRaces = serviceSuite(
  'Twenty identical requests at once, with one idempotency key,',
  {},
  (service) => {
    const customer = registered(service, 'customer');

    /** Few enough for the slowest store to serve each in its time: a 503 is a failure here. */
    const atOnce = (send: () => Promise<ApiResponse>): Promise<ApiResponse[]> =>
      Promise.all(Array.from({ length: 20 }, () => send()));

    /** Expects that one request ran, and that the others got its response or IDEMPOTENCY_KEY_IN_PROGRESS. */
    const expectOneExecution = (responses: readonly ApiResponse[]): ApiResponse => {
      const created = responses.filter(({ status }) => status === 201);
      expect(created).not.to.be.empty;
      expect(created.filter((response) => !isReplay(response))).to.have.length(1);
      const [first] = created as [ApiResponse];
      for (const response of responses) {
        if (response.status === 201) expect(response.text).to.equal(first.text);
        else {
          expectError(response, 'IDEMPOTENCY_KEY_IN_PROGRESS');
          expect(response.headers.get('Retry-After')).to.equal('1');
        }
      }
      return first;
    };

    it('create one order of the last unit', async () => {
      const product = await newProduct(service, { stock: 1 });
      const key = once();
      const body = { product_id: product.id, quantity: 1 };
      const responses = await atOnce(() => customer.post('/v1/orders', body, key));
      const placed = expectCreated(expectOneExecution(responses), '/v1/orders');
      expect(await stockOf(service, product)).to.equal(0);
      const orders = expectList(await customer.get('/v1/orders?limit=100'));
      expect(idsOf(orders)).to.deep.equal([placed.id]);
    });

    it('all get the error of the first', async () => {
      const product = await newProduct(service, { stock: 0 });
      const key = once();
      const body = { product_id: product.id, quantity: 1 };
      const responses = await atOnce(() => customer.post('/v1/orders', body, key));
      for (const response of responses) expectError(response, 'OUT_OF_STOCK');
      expect(responses.filter((response) => !isReplay(response))).to.have.length(1);
    });

    it('change a product once', async () => {
      const { id } = await newProduct(service);
      const key = once();
      const change = () => service.operator.patch(`/v1/products/${id}`, { name: 'Coffee' }, key);
      for (const response of await atOnce(change)) expect(expectOne(response).version).to.equal(2);
      expect(expectOne(await service.operator.get(`/v1/products/${id}`)).version).to.equal(2);
    });

    it('with If-Match write once, and none gets 412', async () => {
      const { id } = await newProduct(service);
      const headers = { ...once(), 'If-Match': '"1"' };
      const change = () => service.operator.put(`/v1/products/${id}`, tea, headers);
      for (const response of await atOnce(change)) expect(expectOne(response).version).to.equal(2);
    });

    it('create one user', async () => {
      const key = once();
      const ann = { email: 'ann@shop.example', name: 'Ann' };
      const responses = await atOnce(() => service.operator.post('/v1/users', ann, key));
      expectCreated(expectOneExecution(responses), '/v1/users');
    });

    it('pay once and refund once', async () => {
      const unpaid = await newOrder(customer, await newProduct(service));
      const key = randomUUID();
      const paid = await atOnce(() => pay(customer, unpaid, 'tok_ok', key));
      const payment = expectCreated(expectOneExecution(paid), '/v1/payments');
      expect(idsOf(await paymentsOf(customer, unpaid))).to.deep.equal([payment.id]);

      const part = { amount: { amount: 3, currency: 'EUR' } };
      const given = await atOnce(() => refund(service.operator, payment, part, key));
      const { id } = expectCreated(expectOneExecution(given), '/v1/refunds');
      const refunds = await customer.get(`/v1/refunds?payment_id=${payment.id}`);
      expect(idsOf(expectList(refunds))).to.deep.equal([id]);
    });
  },
);
