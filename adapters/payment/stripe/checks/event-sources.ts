import type Stripe from 'stripe';
import type { Call } from '../api/client.ts';
import { maxPageSize } from '../api/pagination.ts';
import type { Read, Reading } from './reading.ts';

/** A webhook endpoint at Stripe, or a destination of events that is one. */
export interface EventSource {
  /** Without a query, which may have a secret. */
  readonly address: string;
  readonly isEnabled: boolean;
  /** Of snapshot events, also where the endpoint gets thin ones. `*` stands for all. */
  readonly types: readonly string[];
}

/** Stripe allows far fewer. */
const maxEndpoints = 1_000;

/**
 * Lists the endpoints that get the events of this account: those of version 1 of the API, and of version 2, which also sends thin
 * events. Their API version is no matter, because only the type and the object's id are read.
 */
export const listEventSources = async (
  { stripe, budget }: Call,
  read: Read,
): Promise<Reading<readonly EventSource[]>> => {
  const [endpoints, destinations] = await Promise.all([
    read(() =>
      stripe.webhookEndpoints
        .list({ limit: maxPageSize }, budget())
        .autoPagingToArray({ limit: maxEndpoints }),
    ),
    read(() =>
      stripe.v2.core.eventDestinations
        .list({ include: ['webhook_endpoint.url'] }, budget())
        .autoPagingToArray({ limit: maxEndpoints }),
    ),
  ]);
  if (!('shown' in endpoints)) return endpoints;
  if (!('shown' in destinations)) return destinations;
  const found = new Map<string, EventSource>();
  for (const endpoint of endpoints.shown) {
    const { id, application, url, status, enabled_events: types } = endpoint;
    if (application === null) found.set(id, sourceAt(url, status, types));
  }
  for (const destination of destinations.shown) {
    const { id, webhook_endpoint: endpoint, status, enabled_events: types } = destination;
    if (isOwn(destination) && endpoint) found.set(id, sourceAt(endpoint.url ?? '', status, types));
  }
  return { shown: [...found.values()] };
};

const sourceAt = (url: string, status: string, types: readonly string[]): EventSource => {
  const { origin, pathname } = URL.parse(url) ?? { origin: '', pathname: 'an unknown address' };
  return {
    address: `${origin}${pathname}`,
    isEnabled: status === 'enabled',
    types: types.map((type) => type.replace(/^v1\./, '')),
  };
};

/** Whether a destination gets the events of this account, and not only those of connected ones. Older versions have no `@`. */
const isOwn = ({ events_from: from }: Stripe.V2.Core.EventDestination): boolean =>
  !from || from.some((origin) => origin.replace('@', '') === 'self');
