import { expect } from 'chai';
import { linesOf, type ShownEvent } from '#adapters/ops/admin/browser/views/order/order-history.ts';
import { eventTypes } from '#domain/event.ts';

describe('The history of an order on the admin page', () => {
  const textsOf = (...events: readonly Partial<ShownEvent>[]) =>
    linesOf(events.map((event) => ({ ...anEvent, ...event }))).map(({ text }) => text);
  const anEvent = { type: '', timestamp: '', cause: { kind: 'request' }, data: null, changed: [] };
  const money = { amount: 2000, currency: 'EUR' };

  it('has no line for a type of a later release, and one without an amount where an event has no data', () => {
    expect(textsOf({ type: 'gift.sent', data: null }, { type: 'order.held', data: null })).to.deep.equal([]);
    expect(textsOf({ type: 'payment.succeeded', data: null })).to.deep.equal(['An amount paid']);
  });

  it('has one line for a refund, with its reason', () => {
    const data = { id: 'a', amount: money, reason: 'dent in the kettle' };
    const begun = [
      { type: 'payment.updated', changed: ['version'], data: { amount: money } },
      { type: 'refund.pending', data },
    ];
    expect(textsOf(...begun)).to.deep.equal(['€20.00 on its way back to the customer: dent in the kettle']);
    const ended = [
      { type: 'refund.succeeded', changed: ['status'], data },
      { type: 'payment.updated', changed: ['refunded', 'status'], data: { amount: money } },
    ];
    expect(textsOf(...begun, ...ended)).to.deep.equal(['€20.00 refunded: dent in the kettle']);
    const failed = { type: 'refund.failed', data: { ...data, failure: { message: 'Account closed' } } };
    expect(textsOf(...begun, ...ended, failed)).to.deep.equal([
      'Refund of €20.00 failed: Account closed',
      '€20.00 refunded: dent in the kettle',
    ]);
    const other = { type: 'refund.pending', data: { id: 'b', amount: money, reason: null } };
    expect(textsOf(...ended, other)).to.deep.equal([
      '€20.00 on its way back to the customer',
      '€20.00 refunded: dent in the kettle',
    ]);
  });

  it('says how much was taken, and that the order is paid only where nothing else does', () => {
    const paid = { type: 'payment.succeeded', data: { amount: money, captured: { ...money, amount: 150 } } };
    expect(textsOf(paid, { type: 'order.paid', data: {} })).to.deep.equal(['€1.50 paid']);
    expect(textsOf({ type: 'order.paid', data: {} })).to.deep.equal(['Paid']);
  });

  it('names changes in plain words, and leaves out what only Portico needs', () => {
    const update = (...changed: string[]) => textsOf({ type: 'order.updated', changed, data: {} });
    expect(update('note', 'version', 'updated_at')).to.deep.equal(['Note changed']);
    expect(update('items_total', 'total', 'taxes', 'discount', 'note')).to.deep.equal([
      'Note, discount and items changed',
    ]);
    expect(update('version', 'updated_at')).to.deep.equal([]);
  });

  it('has a line for every type of event that concerns an order, even where its data are gone', () => {
    const silent = [
      'payment.refunded',
      'payment.updated',
      'refund.updated',
      'dispute.updated',
      'order.updated',
    ];
    for (const type of eventTypes.filter((each) => /^(order|payment|refund|dispute)\./.test(each))) {
      const texts = textsOf({ type, data: null });
      expect(texts, type).to.have.lengthOf(silent.includes(type) ? 0 : 1);
      expect(texts.join(), type).to.match(/^([A-Z][A-Za-z ,]+)?$/);
    }
  });
});
