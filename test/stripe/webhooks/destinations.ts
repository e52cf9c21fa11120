import type { Account } from '../account.ts';
import { allowOnly, type Form, listIn, oneOf, required } from '../form.ts';
import type { Endpoint } from '../objects.ts';
import { ok, type StripeResponse } from '../response.ts';
import { addEndpoint, textsIn, typesIn, urlIn } from './endpoints.ts';

/** The fields of https://docs.stripe.com/api/v2/core/event-destinations that a caller may need here. The URL is shown at request. */
const view = (endpoint: Endpoint, form: Form) => ({
  id: endpoint.id,
  object: 'v2.core.event_destination',
  created: new Date(endpoint.createdAt).toISOString(),
  description: endpoint.description,
  enabled_events: endpoint.types,
  event_payload: endpoint.payload,
  events_from: [endpoint.isConnect ? '@accounts' : '@self'],
  livemode: false,
  metadata: endpoint.metadata,
  name: endpoint.name,
  status: endpoint.isEnabled ? 'enabled' : 'disabled',
  status_details: endpoint.isEnabled ? null : { disabled: { reason: 'user' } },
  type: 'webhook_endpoint',
  webhook_endpoint: {
    signing_secret: null as string | null,
    url: listIn(form, 'include')?.includes('webhook_endpoint.url') ? endpoint.url : null,
  },
});

export const createDestination = (account: Account, form: Form): StripeResponse => {
  allowOnly(
    form,
    ...['description', 'enabled_events', 'event_payload', 'events_from', 'include', 'metadata', 'name'],
    ...['type', 'webhook_endpoint'],
  );
  oneOf(form, 'type', ['webhook_endpoint']);
  const endpoint = addEndpoint(account, {
    url: urlIn(form, 'webhook_endpoint[url]'),
    types: typesIn(form),
    payload: oneOf(form, 'event_payload', ['snapshot', 'thin']) ?? 'snapshot',
    name: required(form, 'name'),
    description: form.get('description') ?? '',
    metadata: textsIn(form),
    isConnect: listIn(form, 'events_from')?.includes('@accounts') ?? false,
  });
  const shown = view(endpoint, form);
  const isAsked = listIn(form, 'include')?.includes('webhook_endpoint.signing_secret');
  const signing_secret = isAsked ? (endpoint.secrets[0] ?? null) : null;
  return ok({ ...shown, webhook_endpoint: { ...shown.webhook_endpoint, signing_secret } });
};

export const getDestination = (account: Account, form: Form, id: string): StripeResponse => {
  allowOnly(form, 'include');
  return ok(view(account.endpoints.require(id), form));
};

export const updateDestination = (account: Account, form: Form, id: string): StripeResponse => {
  allowOnly(form, 'description', 'enabled_events', 'include', 'metadata', 'name', 'webhook_endpoint');
  const endpoint = account.endpoints.require(id);
  const name = 'webhook_endpoint[url]';
  Object.assign(endpoint, {
    url: form.has(name) ? urlIn(form, name) : endpoint.url,
    types: listIn(form, 'enabled_events') ?? endpoint.types,
    name: form.get('name') ?? endpoint.name,
    description: form.get('description') ?? endpoint.description,
    metadata: { ...endpoint.metadata, ...textsIn(form) },
  });
  return ok(view(endpoint, form));
};

const turn =
  (isEnabled: boolean) =>
  (account: Account, form: Form, id: string): StripeResponse => {
    const endpoint = account.endpoints.require(id);
    endpoint.isEnabled = isEnabled;
    return ok(view(endpoint, form));
  };

export const enableDestination = turn(true);
export const disableDestination = turn(false);

export const deleteDestination = (account: Account, _form: Form, id: string): StripeResponse => {
  account.endpoints.remove(account.endpoints.require(id));
  return ok({ id, object: 'v2.core.event_destination' });
};

export const listDestinations = (account: Account, form: Form): StripeResponse => {
  allowOnly(form, 'include', 'limit', 'page');
  const limit = Number(form.get('limit') ?? 20);
  const start = Number(form.get('page') ?? 0);
  const rows = account.endpoints.rows.toReversed();
  const next = start + limit;
  const query = new URLSearchParams([...form].filter(([name]) => name !== 'page'));
  query.set('page', String(next));
  return ok({
    data: rows.slice(start, next).map((endpoint) => view(endpoint, form)),
    next_page_url: next < rows.length ? `/v2/core/event_destinations?${query}` : null,
    previous_page_url: null,
  });
};
