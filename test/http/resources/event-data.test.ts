import { expect } from 'chai';
import type { Client, Json } from '../support/client.ts';
import { expectOne } from '../support/expectations.ts';
import { describeServiceInSimulatedTime } from '../support/service.ts';
import {
  addItem,
  euros,
  firstItem,
  newOrder,
  newProduct,
  offered,
  once,
  pay,
  refund,
} from '../support/shop.ts';
import { WatchedFeed } from '../support/watched-feed.ts';

type Buyer = Client & { readonly userId: string };

/** Every kind of write, and what the feed tells of it: fields and versions are compared with what GET shows before and after. */
describeServiceInSimulatedTime(
  'An event',
  { RECONCILE_AFTER_MS: '500' },
  (service) => {
    let feed: WatchedFeed;
    const operator = service.operator;
    let buyer: Buyer;
    const product = offered(service);

    before(async () => {
      feed = new WatchedFeed(operator);
      buyer = await service.person('customer');
    });

    const okay = async (sent: Promise<{ readonly status: number; readonly text: string; body: Json }>) => {
      const { status, text, body } = await sent;
      expect(status, text).to.be.below(300);
      return body?.data;
    };

    it('tells of products and their stock', async () => {
      let path = '';
      await feed.expectTold(async () => {
        path = `/v1/products/${(await newProduct(service, { stock: 3, sku: 'told' })).id}`;
      }, ['product.created']);
      const patch = (fields: object) => () => okay(operator.patch(path, fields));
      await feed.expectTold(patch({ name: 'Green tea', price: euros(500), tags: ['new'] }), [
        'product.updated',
      ]);
      await feed.expectTold(patch({ name: 'Green tea' }), ['product.updated']);
      await feed.expectTold(patch({ quantity_step: 0.25 }), ['product.updated']);
      await feed.expectTold(patch({ stock: 0 }), ['product.updated']);
      const product_id = path.split('/').at(-1);
      const count = () => okay(operator.post('/v1/stock-changes', { product_id, change: 2 }));
      await feed.expectTold(count, ['product.updated', 'stock_change.created']);
      await feed.expectTold(
        async () => expect((await operator.patch(path, { name: '' })).status).to.equal(422),
        [],
      );
      await feed.expectTold(() => operator.delete(path), ['product.deleted']);
    });

    it('tells of orders, their items, and the stock that they empty', async () => {
      const scarce = await newProduct(service, { stock: 3 });
      let order: Json;
      const ordering = async () => {
        order = await newOrder(buyer, scarce, 1);
      };
      await feed.expectTold(ordering, ['order.created'], ['product 2']);
      const path = () => `/v1/orders/${order.id}`;
      const [noted] = await feed.expectTold(
        () => okay(operator.patch(path(), { note: 'Ring twice', external_id: 'A-1' })),
        ['order.updated'],
      );
      expect(noted?.data).not.to.have.property('items');
      const [, added] = await feed.expectTold(
        () => okay(addItem(buyer, order, scarce, 2)),
        ['product.out_of_stock', 'order.updated'],
      );
      expect(added?.changed).to.include('items');
      const item = await firstItem(buyer, order);
      await feed.expectTold(
        () => okay(buyer.delete(`${path()}/items/${item.id}`)),
        ['order.updated', 'product.back_in_stock'],
      );
      await feed.expectTold(
        () => okay(buyer.patch(path(), { status: 'canceled' })),
        ['order.canceled'],
        ['product 5'],
      );
    });

    it('tells of payments, refunds, and a review', async () => {
      let order: Json = await newOrder(buyer, product);
      await feed.expectTold(
        () => pay(buyer, order, 'tok_declined'),
        ['payment.failed', 'order.updated'],
        ['order 2', 'payment 1'],
      );
      let payment: Json;
      await feed.expectTold(
        async () => {
          payment = await okay(pay(buyer, order));
        },
        ['payment.succeeded', 'order.paid'],
        ['order 4', 'payment 1'],
      );
      const item = await firstItem(buyer, order);
      let review: Json;
      await feed.expectTold(async () => {
        review = await okay(buyer.post('/v1/reviews', { item_id: item.id, rating: 4 }));
      }, ['review.created']);
      await feed.expectTold(
        () => okay(buyer.patch(`/v1/reviews/${review.id}`, { rating: 5 })),
        ['review.updated'],
      );
      await feed.expectTold(() => buyer.delete(`/v1/reviews/${review.id}`), ['review.deleted']);
      const metadata = { metadata: { till: '3' } };
      await feed.expectTold(
        () => okay(operator.patch(`/v1/payments/${payment.id}`, metadata)),
        ['payment.updated'],
      );
      let given: Json;
      const [part, whole] = [{ amount: euros(1) }, {}];
      await feed.expectTold(async () => {
        given = await okay(refund(operator, payment, part));
      }, ['payment.updated', 'refund.pending', 'refund.succeeded', 'payment.updated']);
      await feed.expectTold(
        () => okay(operator.patch(`/v1/refunds/${given.id}`, metadata)),
        ['refund.updated'],
      );
      await feed.expectTold(
        () => okay(refund(operator, payment, whole)),
        ['payment.updated', 'refund.pending', 'refund.succeeded', 'payment.refunded', 'order.refunded'],
      );
      order = await newOrder(buyer, product);
      await okay(pay(buyer, order));
      await feed.expectTold(
        () => okay(operator.patch(`/v1/orders/${order.id}`, { status: 'fulfilled' })),
        ['order.fulfilled'],
      );
    });

    it('tells of payments that wait, and of their captures', async () => {
      const order = await newOrder(buyer, product);
      const begin = (order_id: string, fields: object) => () =>
        okay(operator.post('/v1/payments', { order_id, payment_method: 'tok_ok', ...fields }, once()));
      let payment: Json;
      await feed.expectTold(
        async () => {
          payment = await begin(order.id, { capture: 'manual' })();
        },
        ['payment.authorized'],
        ['order 2', 'payment 1'],
      );
      await feed.expectTold(
        () => okay(operator.post('/v1/captures', { payment_id: payment.id }, once())),
        ['payment.succeeded', 'order.paid'],
      );
      const other = await newOrder(buyer, product);
      await feed.expectTold(
        async () => {
          payment = await begin(other.id, { payment_method: 'tok_action_never', payer_present: true })();
        },
        ['payment.requires_action'],
        ['order 2', 'payment 1'],
      );
      await feed.expectTold(
        () => okay(operator.patch(`/v1/payments/${payment.id}`, { status: 'canceled' }, once())),
        ['payment.canceled', 'order.updated'],
      );
    });

    it('tells of users, their keys, and of an erasure', async () => {
      let person: Buyer = buyer;
      await feed.expectTold(async () => {
        person = await service.person('customer');
      }, ['user.created', 'api_key.created']);
      const path = `/v1/users/${person.userId}`;
      await feed.expectTold(() => okay(operator.patch(path, { name: 'Ada' })), ['user.updated']);
      const [key] = (await operator.get(`/v1/api-keys?user_id=${person.userId}`)).body.data;
      await feed.expectTold(
        () => okay(operator.patch(`/v1/api-keys/${key.id}`, { name: 'Till' })),
        ['api_key.updated'],
      );
      await feed.expectTold(() => operator.delete(`/v1/api-keys/${key.id}`), ['api_key.deleted']);
      await feed.expectTold(() => operator.delete(path), ['user.deleted']);
      const gone = await service.person('customer');
      const erase = async () => {
        const { id } = await okay(operator.post('/v1/erasures', { user_id: gone.userId }));
        await service.until(
          async () => expectOne(await operator.get(`/v1/erasures/${id}`)),
          ({ status }) => status === 'completed',
        );
      };
      const { body } = await operator.get('/v1/events?type=user.created&limit=100');
      const created = body.data.find(({ subject }: Json) => subject.id === gone.userId);
      expect(created.data.email).to.match(/^customer-/);
      await feed.expectTold(erase, ['user.erased', 'api_key.deleted']);
      const later = expectOne(await operator.get(`/v1/events/${created.id}`));
      expect(later, 'the same event without personal data').to.deep.include({
        ...{ sequence: created.sequence, subject: created.subject, changed: [] },
      });
      expect(JSON.stringify(later.data))
        .not.to.include(created.data.email)
        .and.not.include(created.data.name);
    });
  },
  { kind: 'sqlite', credentialTtlMs: 50, erasureQuietMs: 300 },
);
