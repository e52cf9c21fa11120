import { expect } from 'chai';
import { dataSchemaOf, eventData } from '#adapters/http/v1/event-data.ts';
import { type AddedFields, withAddedFields } from '#application/events/added-fields.ts';
import { erased } from '#application/events/erase-events.ts';
import { type Event, eventTypes, type SubjectType } from '#domain/event.ts';
import type { EventId } from '#domain/event-id.ts';
import type { OrderItem } from '#domain/order.ts';
import type { Resource } from '#domain/resource.ts';
import { anEvent } from '../contracts/events-support.ts';
import { aProduct, aPurchase } from '../contracts/samples.ts';
import { schemaError } from '../http/support/schema-error.ts';
import { newId } from '../support/machine.ts';
import { eventDataOfToday, previousEvents } from './recorded-events.ts';

const eventOf = (subject: SubjectType, data: Resource): Event => {
  const type = eventTypes.find((one) => one.startsWith(`${subject}.`)) ?? 'order.created';
  const { timestamp: at, ...event } = anEvent({
    ...{ type, data, subject: { type: subject, id: data.id, version: data.version } },
  });
  return {
    ...{ ...event, timestamp: at, createdAt: at, updatedAt: at },
    ...{ id: newId<EventId>(), version: 1, sequence: 1 },
  };
};

describe('An event of the release before', () => {
  const recorded = Object.entries(previousEvents().data) as [SubjectType, Resource][];

  it('is recorded for each subject that it had', () => {
    expect(recorded.map(([subject]) => subject)).to.include.members(['order', 'payment', 'product', 'user']);
  });

  for (const [subject, data] of recorded) {
    it(`has every field of today where it is about ${subject}: application/events/added-fields.ts names its value`, () => {
      const names = Object.keys(eventDataOfToday()[subject] ?? {});
      expect(Object.keys(withAddedFields(subject, data))).to.include.members(names);
      const shown = eventData.derive(eventOf(subject, data));
      expect(shown, 'what it shows').to.be.an('object');
      // As JSON, a number that is none would be null.
      expect(schemaError(dataSchemaOf(subject), shown)).to.equal(undefined);
    });

    it(`can be erased where it is about ${subject}`, () => {
      const { data: left } = erased(eventOf(subject, data));
      expect(left).to.include({ id: data.id, version: data.version });
      expect(eventData.derive(eventOf(subject, left))).to.be.an('object');
    });
  }
});

describe('A field that a release has added', () => {
  const { name: _, ...older } = aProduct({ description: 'Mild' });
  const added = {
    products: { name: ({ description }) => `${description} tea`, description: () => 'None' },
    orderItems: { taxRate: () => null },
  } satisfies AddedFields;

  it('has the value that is named for it, which may follow from the others, and no field of its own is replaced', () => {
    expect(withAddedFields('product', older as Resource, added)).to.deep.equal({
      ...older,
      name: 'Mild tea',
    });
    const product = aProduct();
    expect(withAddedFields('product', product, added)).to.equal(product);
  });

  it('is filled in the items of an order, too', () => {
    const { order, item } = aPurchase();
    const { taxRate: _rate, ...olderItem } = item;
    const data = { ...order, items: [olderItem] } as Resource;
    const { items } = withAddedFields('order', data, added) as Resource & { items: readonly OrderItem[] };
    expect(items).to.deep.equal([{ ...olderItem, taxRate: null }]);
  });
});

describe('An event of a later release', () => {
  it('has no data that an erasure could leave', () => {
    const data = { ...aProduct(), greeting: 'For Ada' };
    const event = { ...eventOf('product', data), type: 'product.given' as Event['type'] };
    const { data: left } = erased(event);
    const { id, version, createdAt, updatedAt } = data;
    expect(left).to.deep.equal({ id, version, createdAt, updatedAt });
    expect(erased({ ...event, data: left }).data).to.deep.equal(left);
  });
});
