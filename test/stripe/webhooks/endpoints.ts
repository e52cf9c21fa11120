import type { Account } from '../account.ts';
import { randomText } from '../collection.ts';
import { apiVersion } from '../credentials.ts';
import { allowOnly, type Form, listIn, oneOf, required } from '../form.ts';
import type { Endpoint } from '../objects.ts';
import { pageOf, pagingParameters, seconds } from '../pages.ts';
import { invalid, ok, type StripeResponse } from '../response.ts';

/** The fields of https://docs.stripe.com/api/webhook_endpoints/object that a caller may need here. */
const view = (endpoint: Endpoint) => ({
  id: endpoint.id,
  object: 'webhook_endpoint',
  api_version: apiVersion,
  created: seconds(endpoint.createdAt),
  enabled_events: endpoint.types,
  livemode: false,
  metadata: {},
  status: 'enabled',
  url: endpoint.url,
});

/** The fields of https://docs.stripe.com/api/v2/event-destinations/object that a caller may need here. */
const destinationView = (endpoint: Endpoint) => ({
  id: endpoint.id,
  object: 'v2.core.event_destination',
  created: new Date(endpoint.createdAt).toISOString(),
  description: '',
  enabled_events: endpoint.types,
  event_payload: endpoint.payload,
  livemode: false,
  name: endpoint.id,
  status: 'enabled',
  type: 'webhook_endpoint',
  webhook_endpoint: { url: endpoint.url },
});

export const createEndpoint = (account: Account, form: Form): StripeResponse => {
  allowOnly(form, 'api_version', 'enabled_events', 'url');
  const endpoint = addEndpoint(account, form, required(form, 'url'), 'snapshot');
  // The secret is shown once.
  return ok({ ...view(endpoint), secret: endpoint.secrets[0] });
};

export const createDestination = (account: Account, form: Form): StripeResponse => {
  allowOnly(form, 'enabled_events', 'event_payload', 'include', 'name', 'type', 'webhook_endpoint');
  const payload = oneOf(form, 'event_payload', ['snapshot', 'thin']) ?? 'snapshot';
  const endpoint = addEndpoint(account, form, required(form, 'webhook_endpoint[url]'), payload);
  const shown = destinationView(endpoint);
  const signing_secret = endpoint.secrets[0];
  return ok({ ...shown, webhook_endpoint: { ...shown.webhook_endpoint, signing_secret } });
};

export const listEndpoints = (account: Account, form: Form): StripeResponse => {
  allowOnly(form, ...pagingParameters);
  return ok(pageOf(account.endpoints.rows, form, view));
};

export const listDestinations = (account: Account, form: Form): StripeResponse => {
  allowOnly(form, 'include', 'limit');
  const data = account.endpoints.rows.map(destinationView);
  return ok({ data, next_page_url: null, previous_page_url: null });
};

/** How long a secret is valid after another one took its place. https://docs.stripe.com/webhooks/signature */
const overlapMilliseconds = 24 * 60 * 60 * 1000;

/** Gives an endpoint a new secret. Until the old one expires, deliveries are signed with both. */
export const rollSecret = (account: Account, id: string): string => {
  const endpoint = account.endpoints.require(id);
  const secret = newSecret();
  endpoint.secrets.unshift(secret);
  account.clock.after(overlapMilliseconds, () => endpoint.secrets.pop());
  return secret;
};

const addEndpoint = (account: Account, form: Form, url: string, payload: Endpoint['payload']): Endpoint => {
  const types = listIn(form, 'enabled_events');
  if (types === undefined) throw invalid('enabled_events', 'Missing required param: enabled_events.');
  if (!URL.canParse(url))
    throw invalid('url', 'Invalid URL: An explicit scheme must be provided.', 'url_invalid');
  return account.endpoints.add({ url, types, payload, secrets: [newSecret()] });
};

const newSecret = () => `whsec_${randomText()}`;
