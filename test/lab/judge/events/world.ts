import type { Draft } from '../world.ts';
import type { EndpointEvidence, ReceiversEvidence, SeenEvent } from './evidence.ts';

const event = (sequence: number, name: string, id: string, version: number, data: object): SeenEvent => ({
  ...{ sequence, id: `id-${sequence}`, type: `order.${name}` },
  subject: { type: 'order', id, version },
  data: { id, version, ...data },
});

const paid = event(3, 'paid', 'order-1', 3, { status: 'paid' });
const canceled = event(4, 'canceled', 'order-2', 2, { status: 'canceled' });
const events: readonly SeenEvent[] = [
  event(1, 'created', 'order-1', 1, { status: 'pending', items: [{ quantity: 1 }] }),
  event(2, 'created', 'order-2', 1, { status: 'pending', items: [{ quantity: 2 }] }),
  paid,
  canceled,
];

const receipt = (sequence: number, status: number) => ({
  ...{ id: `id-${sequence}`, eventId: `id-${sequence}`, sequence, problem: null, status },
});

const endpoint = (name: string, ordering: EndpointEvidence['ordering']): EndpointEvidence => ({
  ...{ name, ordering, works: true, begin: 1, position: 4, lagMs: 12_000 },
  types: ['order.created', 'order.paid', 'order.canceled'],
  deliveries: [2, 3, 4].map((sequence) => ({ eventId: `id-${sequence}`, status: 'succeeded' })),
  receipts: [receipt(2, 503), receipt(2, 204), receipt(3, 204), receipt(3, 204), receipt(4, 204)],
});

const slow: EndpointEvidence = {
  ...endpoint('slow', 'parallel'),
  ...{ works: false, position: 3, lagMs: undefined, receipts: [receipt(3, 204)] },
  deliveries: [
    { eventId: 'id-2', status: 'pending' },
    { eventId: 'id-3', status: 'succeeded' },
  ],
};

/** The server that delivers is killed, and another one takes over. A slow receiver has not got everything. */
const evidence: ReceiversEvidence = {
  events,
  lastEvents: [
    { event: paid, resource: { id: 'order-1', version: 3, status: 'paid' } },
    // A payment that begins is a later version, of which no event tells.
    { event: canceled, resource: { id: 'order-2', version: 3, status: 'canceled', paying: true } },
  ],
  read: events.map(({ sequence, id }) => ({ sequence, id })),
  problems: [],
  endpoints: [endpoint('well', 'parallel'), endpoint('sequential', 'sequential'), slow],
  lives: [
    { process: 'server-1-1', from: 0, servingFrom: 400, to: 30_000 },
    { process: 'server-2-1', from: 0, servingFrom: 500 },
  ],
  acquisitions: [
    { process: 'server-1-1', at: 1_000 },
    { process: 'server-2-1', at: 41_000 },
  ],
  attempts: [2_000, 29_000, 42_000],
  endedAt: 100_000,
  leaks: [],
};

export const goodReceivers = (): Draft<ReceiversEvidence> =>
  structuredClone(evidence) as Draft<ReceiversEvidence>;
