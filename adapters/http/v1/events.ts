import { described } from '#adapters/wire/codec.ts';
import { exampleId, id, instant, integer, listOf, nullable, oneOf, text } from '#adapters/wire/codecs.ts';
import { strictObject } from '#adapters/wire/object-codec.ts';
import { resourceView, type View } from '#adapters/wire/view.ts';
import type { UseCases } from '#application/application.ts';
import type { ListEvents, VisibleEvent } from '#application/use-cases/events.ts';
import { causeKinds, type Event, eventTypes, subjectTypes, typesMatching } from '#domain/event.ts';
import { text as anyText } from '#domain/text.ts';
import { feedPage, ok } from '../routing/responders.ts';
import { route } from '../routing/route.ts';
import { type EventWire, eventData, type WireOf } from './event-data.ts';
import { typePatterns } from './webhook-endpoints.ts';

const orderId = described(
  nullable(id('order')),
  'The order that the subject is or belongs to. Null where it belongs to none.',
);

const ordinal = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER, violation: () => undefined };

const subject = strictObject({
  type: described(oneOf(subjectTypes), 'What the event tells of.', 'order'),
  id: described(id<string>('order'), 'The id of the resource.'),
  version: described(
    integer({ ...ordinal, maximum: 2 ** 31 - 1 }),
    'The version that it reached. A deletion counts as one.',
    1,
  ),
});

const cause = strictObject({
  kind: described(
    oneOf(causeKinds),
    '`request`: an API request. `housekeeping`: a background job. `provider`: the payment provider. `command`: the command line.',
    'request',
  ),
  requestId: described(
    nullable(text(anyText(1, 200))),
    'The `X-Request-Id` of the request that made the change.',
    '6692ed0d-9843-41e1-be38-f62fcba2e002',
  ),
  userId: described(nullable(id('user')), 'The user whose request it was.'),
  idempotencyKey: described(
    nullable(text(anyText(1, 255))),
    'The idempotency key of that request. Only administrators see it.',
    null,
  ),
});

/** Every event, of any type. */
const anyEvent = resourceView<VisibleEvent>()('Event', {
  sequence: described(
    integer(ordinal),
    'The place in the feed: from 1 on, without gaps. Sequences ascend with ids.',
    1,
  ),
  type: described(oneOf(eventTypes), 'What happened. New types may appear at any time.', 'order.created'),
  timestamp: described(instant, 'When the change was made.', '2026-03-01T12:00:00.000Z'),
  subject: described(subject, 'The resource, at the version that it reached.', {
    ...{ type: 'order', id: exampleId('order'), version: 1 },
  }),
  orderId,
  changed: described(
    listOf(text(anyText(1, 100)), 100),
    'The names of the fields of `data` that differ from the version before. Empty for a new resource.',
    [],
  ),
  cause: described(cause, 'Who or what made the change. Null is what there is none of.', {
    ...{ kind: 'request', request_id: '6692ed0d-9843-41e1-be38-f62fcba2e002' },
    ...{ user_id: exampleId('user'), idempotency_key: null },
  }),
  data: eventData,
});

/** The type of an event determines what its data are, which the fields one by one cannot describe. */
export const eventView = anyEvent as View<VisibleEvent, EventWire<WireOf<typeof anyEvent>>>;

const type = described(
  oneOf(typePatterns),
  'Only events of this type, or of all types of a resource.',
  'order.*',
);

/** Whether events are in the feed with this filter. Without a pattern all are, also those of a later release. */
export const isIn = ({
  orderId,
  type: pattern,
}: Pick<ListEvents, 'orderId' | 'type'>): ((event: Pick<Event, 'type' | 'orderId'>) => boolean) => {
  const types = pattern === undefined ? undefined : typesMatching(pattern);
  return (event) =>
    (types === undefined || types.includes(event.type)) &&
    (orderId === undefined || event.orderId === orderId);
};

export const eventRoutes = ({ events }: UseCases) => [
  route('GET /events', events.list, {
    summary: 'List events',
    filters: { orderId: described(id('order'), 'Only events of this order.'), type },
    input: ({ filter, from, page: { limit } }) => ({ ...filter, from, limit }),
    responder: feedPage(eventView),
    readsLatest: true,
    // What an event names must not be missing for who has read the event.
    pinsReads: ({ rows }) => rows.length > 0,
    awaited: ({ rows, resume }, { filter, from }) => {
      if (rows.length > 0) return undefined;
      const concerns = isIn(filter);
      // Without a position every attempt begins at what is kept then, which is later once events are deleted.
      if (from === undefined) return { concerns };
      return { concerns, from: { after: resume.after, isOf: (feedId) => feedId === resume.feedId } };
    },
  }),
  route('GET /events/{id}', events.get, {
    summary: 'Get an event',
    input: ({ path }) => path.id,
    responder: ok(eventView),
    readsLatest: true,
    pinsReads: () => true,
  }),
];
