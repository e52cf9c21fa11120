import type { Account } from '../account.ts';
import { randomText } from '../collection.ts';
import { apiVersion } from '../credentials.ts';
import { allowOnly, type Form, flag, listIn, metadataIn, required } from '../form.ts';
import type { Endpoint } from '../objects.ts';
import { pageOf, pagingParameters, seconds } from '../pages.ts';
import { invalid, missing, ok, type StripeResponse } from '../response.ts';

/** The fields of https://docs.stripe.com/api/webhook_endpoints/object that a caller may need here. */
const view = (endpoint: Endpoint) => ({
  id: endpoint.id,
  object: 'webhook_endpoint',
  api_version: apiVersion,
  application: endpoint.isConnect ? 'ca_1' : null,
  created: seconds(endpoint.createdAt),
  description: endpoint.description || null,
  enabled_events: endpoint.types,
  livemode: false,
  metadata: endpoint.metadata,
  status: endpoint.isEnabled ? 'enabled' : 'disabled',
  url: endpoint.url,
});

export const createEndpoint = (account: Account, form: Form): StripeResponse => {
  allowOnly(form, 'api_version', 'connect', 'description', 'enabled_events', 'metadata', 'url');
  const endpoint = addEndpoint(account, {
    url: urlIn(form, 'url'),
    types: typesIn(form),
    payload: 'snapshot',
    description: form.get('description') ?? '',
    metadata: textsIn(form),
    isConnect: flag(form, 'connect'),
  });
  // The secret is shown once.
  return ok({ ...view(endpoint), secret: endpoint.secrets[0] });
};

export const getEndpoint = (account: Account, _form: Form, id: string): StripeResponse =>
  ok(view(endpointAt(account, id)));

/** https://docs.stripe.com/api/webhook_endpoints/update */
export const updateEndpoint = (account: Account, form: Form, id: string): StripeResponse => {
  allowOnly(form, 'description', 'disabled', 'enabled_events', 'metadata', 'url');
  const endpoint = endpointAt(account, id);
  const url = form.has('url') ? urlIn(form, 'url') : endpoint.url;
  const isEnabled = form.has('disabled') ? !flag(form, 'disabled') : endpoint.isEnabled;
  Object.assign(endpoint, {
    url,
    isEnabled,
    types: listIn(form, 'enabled_events') ?? endpoint.types,
    description: form.get('description') ?? endpoint.description,
    metadata: { ...endpoint.metadata, ...textsIn(form) },
  });
  return ok(view(endpoint));
};

export const deleteEndpoint = (account: Account, _form: Form, id: string): StripeResponse => {
  account.endpoints.remove(endpointAt(account, id));
  return ok({ id, object: 'webhook_endpoint', deleted: true });
};

/** Endpoints that get thin events are destinations, which only version 2 of the API lists. */
export const listEndpoints = (account: Account, form: Form): StripeResponse => {
  allowOnly(form, ...pagingParameters);
  return ok(pageOf(account.endpoints.rows.filter(isSnapshot), form, view));
};

const endpointAt = (account: Account, id: string): Endpoint => {
  const endpoint = account.endpoints.get(id);
  if (endpoint === undefined || !isSnapshot(endpoint)) throw missing('webhook endpoint', id);
  return endpoint;
};

const isSnapshot = ({ payload }: Endpoint): boolean => payload === 'snapshot';

/** How long a secret is valid after another one took its place. https://docs.stripe.com/webhooks/signature */
const overlapMilliseconds = 24 * 60 * 60 * 1000;

/** Gives an endpoint a new secret. Until the old one expires, deliveries are signed with both. */
export const rollSecret = (account: Account, id: string): string => {
  const endpoint = account.endpoints.require(id);
  const secret = `whsec_${randomText()}`;
  endpoint.secrets.unshift(secret);
  account.clock.after(overlapMilliseconds, () => endpoint.secrets.pop());
  return secret;
};

type Details = Pick<Endpoint, 'url' | 'types' | 'payload'> & Partial<Endpoint>;

export const addEndpoint = (account: Account, details: Details): Endpoint =>
  account.endpoints.add({
    secrets: [`whsec_${randomText()}`],
    name: '',
    description: '',
    metadata: {},
    isEnabled: true,
    isConnect: false,
    ...details,
  });

export const typesIn = (form: Form): readonly string[] => {
  const types = listIn(form, 'enabled_events');
  if (types === undefined) throw invalid('enabled_events', 'Missing required param: enabled_events.');
  return types;
};

export const urlIn = (form: Form, name: string): string => {
  const url = required(form, name);
  if (URL.canParse(url)) return url;
  throw invalid('url', 'Invalid URL: An explicit scheme must be provided.', 'url_invalid');
};

export const textsIn = (form: Form): Endpoint['metadata'] => metadataIn(form) as Endpoint['metadata'];
