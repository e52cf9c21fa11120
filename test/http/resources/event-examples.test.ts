import { expect } from 'chai';
import { exampleEvent } from '#adapters/http/v1/event-examples.ts';
import { subjectViews } from '#adapters/http/v1/shown-fields.ts';
import { showEvents } from '#adapters/http/v1/webhook-bodies.ts';
import { testShop } from '#bootstrap/testing/test-shop.ts';
import { type EventType, eventTypes, type SubjectType } from '#domain/event.ts';
import { newId } from '../../support/machine.ts';
import type { Json } from '../support/client.ts';

describe('An example of an event', () => {
  const exampleOf = (type: EventType): Json => exampleEvent(newId(), type);
  const subjectOf = (type: EventType) => type.slice(0, type.indexOf('.')) as SubjectType;

  it('has the status that its type names', () => {
    for (const type of eventTypes) {
      const statuses = subjectViews[subjectOf(type)].schema.properties?.['status']?.enum ?? [];
      const name = type.slice(type.indexOf('.') + 1);
      if (statuses.includes(name)) expect(exampleOf(type).data.status, type).to.equal(name);
    }
    expect(exampleOf('webhook_endpoint.disabled').data.disabled_reason).to.equal('by_hand');
    expect(exampleOf('product.out_of_stock').data.stock).to.equal(0);
    expect(exampleOf('product.back_in_stock').data.stock).to.be.above(0);
  });

  it('names changed fields that its data have, unless it is of a first or a last version', () => {
    for (const type of eventTypes) {
      const { changed, data, subject } = exampleOf(type);
      const isUnchanged = /\.(created|deleted)$|^refund\.pending$/.test(type);
      if (isUnchanged) expect(changed, type).to.deep.equal([]);
      else expect(changed, type).to.have.length.above(1);
      expect(data, type).to.include.all.keys(...changed, 'id');
      expect(subject.version - data.version, type).to.equal(type.endsWith('.deleted') ? 1 : 0);
      expect(data.version, type).to.equal(isUnchanged ? 1 : 2);
    }
  });

  it('has an order only where its subject is one, or belongs to one', () => {
    for (const type of eventTypes) {
      const { order_id, data } = exampleOf(type);
      const belongs = ['order', 'payment', 'refund', 'dispute', 'review'].includes(subjectOf(type));
      expect(order_id !== null, type).to.equal(belongs);
      if (belongs && 'order_id' in data) expect(order_id, type).to.equal(data.order_id);
    }
  });

  it('is like a real event of its type', async () => {
    const shop = await testShop();
    const { orders, products, refunds, users } = shop.useCases;
    const product = await shop.newProduct({ stock: 2 });
    const order = await shop.placeOrder(shop.customer, product, 2);
    await shop.pay(shop.customer, order, 'tok_declined').catch(() => undefined);
    const payment = await shop.pay(shop.customer, order);
    await shop.run(refunds.create, shop.staff, { paymentId: payment.id, reason: null });
    const other = await shop.newProduct({ stock: 2 });
    const { id } = await shop.placeOrder(shop.customer, other, 2);
    const expectedVersions = undefined;
    await shop.run(orders.change, shop.customer, { id, expectedVersions, details: { note: 'Ring' } });
    await shop.run(orders.change, shop.customer, { id, expectedVersions, status: 'canceled' });
    await shop.run(products.remove, shop.staff, { id: other.id, expectedVersions });
    const { userId } = await shop.newCaller('customer');
    const changes = { name: 'Ada', externalId: 'ERP-1', metadata: { till: '3' } };
    await shop.run(users.change, shop.admin, { id: userId, expectedVersions, changes });
    await shop.run(shop.useCases.erasures.begin, shop.admin, userId);

    const { rows } = await shop.unitOfWork.read(({ events }) => events.page({}, { after: 0, limit: 100 }));
    // The clock of this shop stands still, so its times do not change. What an update changes is for its maker to say.
    const formOf = ({ type, subject, order_id, changed, data }: Json) => ({
      ...{ type, status: data.status, stock: data.stock === 0, isOfOrder: order_id !== null },
      ...{ fields: Object.keys(data).sort(), difference: subject.version - data.version },
      changed: /\.updated$/.test(type) || changed.filter((name: string) => name !== 'updated_at').sort(),
    });
    const real: Json[] = rows.map((event) => showEvents.event(event));
    expect(new Set(real.map(({ type }) => type))).to.include.all.keys(
      ...['product.created', 'product.deleted', 'product.out_of_stock', 'product.back_in_stock'],
      ...['order.created', 'order.updated', 'order.paid', 'order.canceled', 'order.refunded'],
      ...['payment.failed', 'payment.succeeded', 'payment.refunded', 'user.created', 'user.erased'],
      ...['refund.pending', 'refund.succeeded'],
    );
    for (const event of real) {
      const { type } = event;
      expect(formOf(exampleOf(type)), type).to.deep.equal(formOf(event));
    }
  });
});
