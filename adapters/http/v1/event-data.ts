import type { Schema } from '#adapters/wire/codec.ts';
import type { DerivedField, View } from '#adapters/wire/view.ts';
import { withAddedFields } from '#application/events/added-fields.ts';
import type { VisibleEvent } from '#application/use-cases/events.ts';
import { type EventName, isKnownEvent, type SubjectType, subjectTypes } from '#domain/event.ts';
import type { OrderItem } from '#domain/order.ts';
import type { Resource } from '#domain/resource.ts';
import { orderItemView } from './order-items.ts';
import { subjectViews } from './shown-fields.ts';

export type WireOf<V> = V extends View<never, infer Wire> ? Wire : never;

/** Events of an order include its items when it is new, and when they have changed. */
export type DataOf<S extends SubjectType> = WireOf<(typeof subjectViews)[S]> &
  (S extends 'order' ? { readonly items?: readonly WireOf<typeof orderItemView>[] } : unknown);

/** An event in JSON. Its type determines what its data are. @typeParam Common the fields of every event */
export type EventWire<Common> = {
  readonly [S in SubjectType]: Omit<Common, 'type' | 'subject' | 'data'> & {
    readonly type: `${S}.${EventName<S>}`;
    readonly subject: { readonly type: S; readonly id: string; readonly version: number };
    readonly data: DataOf<S> | null;
  };
}[SubjectType];

const maxItems = 2 ** 31 - 1;

const orderWithItems = (order: Schema): Schema => ({
  ...order,
  title: 'OrderOfEvent',
  properties: {
    ...order.properties,
    items: {
      type: 'array',
      items: orderItemView.schema,
      maxItems,
      description:
        'The items of the order: in `order.created`, and in each event whose version has changed them, which then names `items` in `changed`. Else they are as you have them.',
    },
  },
});

/** What the data of an event of this subject are. */
export const dataSchemaOf = (subject: SubjectType): Schema => {
  const { schema } = subjectViews[subject];
  return subject === 'order' ? orderWithItems(schema) : schema;
};

interface WithItems {
  readonly items?: readonly OrderItem[];
}

/** The subject, as staff would GET it at that version. */
export const eventData: DerivedField<VisibleEvent> = {
  schema: {
    anyOf: [
      dataSchemaOf('order'),
      ...subjectTypes.filter((type) => type !== 'order').map(dataSchemaOf),
      { type: 'null' },
    ],
    description:
      'The resource as `GET` shows it to staff, at the version of `subject`. Of a deleted one its last version. Null where you may not see it: API keys and webhook endpoints are for administrators. Null, too, in an event of a later release whose type this one does not know.',
  },
  derive: (event) =>
    event.data === null || !isKnownEvent(event) ? null : shownData(event.subject, event.data),
};

/** @returns null for data that this release cannot show, so that one event never keeps a reader from those behind it */
const shownData = ({ type }: VisibleEvent['subject'], stored: Resource): object | null => {
  try {
    const data: Resource & WithItems = withAddedFields(type, stored);
    const shown = (subjectViews[type] as View<unknown, object>).encode(data);
    return type === 'order' && data.items !== undefined
      ? { ...shown, items: data.items.map(orderItemView.encode) }
      : shown;
  } catch {
    return null;
  }
};
