import type { SubjectType } from '#domain/event.ts';
import type { Json } from '../../http/support/client.ts';
import type { LastEvent, SeenEvent } from '../../lab/judge/events/evidence.ts';
import type { Fleet } from '../fleet.ts';
import { getJson } from './calls.ts';

const paths: Readonly<Record<SubjectType, string>> = {
  product: 'products',
  user: 'users',
  order: 'orders',
  payment: 'payments',
  refund: 'refunds',
  stock_change: 'stock-changes',
  dispute: 'disputes',
  review: 'reviews',
  api_key: 'api-keys',
  webhook_endpoint: 'webhook-endpoints',
};

const parallel = 8;

/** Reads the whole feed over the API. */
export const readWholeFeed = async (fleet: Fleet, admin: string): Promise<readonly SeenEvent[]> => {
  const all: SeenEvent[] = [];
  for (let path = '/v1/events?limit=100'; ; ) {
    const { data, links } = await getJson(fleet, admin, path);
    all.push(...data);
    if (data.length === 0) return all;
    path = links.resume;
  }
};

/** Reads the subjects of events over the API. */
export const readLastEvents = async (
  fleet: Fleet,
  admin: string,
  events: readonly SeenEvent[],
): Promise<readonly LastEvent[]> => {
  const last = new Map(events.map((event) => [event.subject.id, event])).values();
  const found: LastEvent[] = [];
  const read = async (path: string): Promise<Json | undefined> =>
    (await getJson(fleet, admin, `/v1/${path}`))?.data;
  const work = async (): Promise<void> => {
    for (const event of last) {
      const { type, id } = event.subject;
      const resource = await read(`${paths[type]}/${id}`);
      const hasItems = resource !== undefined && event.data?.items !== undefined;
      const items = hasItems ? { items: await read(`orders/${id}/items?limit=100`) } : {};
      found.push({ event, resource: resource && { ...resource, ...items } });
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return found;
};
