import { described, forSomeStates } from '#adapters/wire/codec.ts';
import { exampleId, instant, integer, listOf, nullable, oneOf, text } from '#adapters/wire/codecs.ts';
import { strictObject } from '#adapters/wire/object-codec.ts';
import { resourceView } from '#adapters/wire/view.ts';
import type { UseCases } from '#application/application.ts';
import type { CreatedEndpoint } from '#application/use-cases/webhook-endpoints.ts';
import type { ShownEndpoint } from '#application/webhooks/shown-endpoints.ts';
import { type EventName, eventTypePatterns as patterns, type SubjectType } from '#domain/event.ts';
import { integer as wholeNumber } from '#domain/rule.ts';
import { webhookOrderings } from '#domain/webhooks/attempts.ts';
import {
  WebhookEndpoint,
  webhookDisabledReasons,
  webhookEventTypes,
  webhookPayloads,
  webhookStatuses,
} from '#domain/webhooks/endpoint.ts';
import { createdWithSecret, noContent, ok, page } from '../routing/responders.ts';
import { route } from '../routing/route.ts';
import { expiresAt, hint, secretId, secretText } from './webhook-secrets.ts';

/** Not the exported type: a declaration file would refer to it, and the installed client has no file of the domain. */
type Pattern = { readonly [S in SubjectType]: `${S}.${EventName<S>}` | `${S}.*` }[SubjectType];

/** What the filter `type` accepts. */
export const typePatterns: readonly Pattern[] = patterns;

/** The patterns in full, not by the name of their type in the domain: the installed client has no file of it. */
const eventTypePatterns: readonly (Pattern | '*')[] = webhookEventTypes;

const fields = {
  url: described(
    text(WebhookEndpoint.rules.url),
    'Where events are sent to: https, without credentials and fragment. Addresses that are not public are not called.',
    'https://example.com/webhooks',
  ),
  eventTypes: described(
    listOf(oneOf(eventTypePatterns), WebhookEndpoint.maxEventTypes, 1),
    'What is sent: types, all types of a resource (`order.*`), or everything (`*`, the default).',
    ['order.*', 'payment.succeeded'],
  ),
  description: described(nullable(text(WebhookEndpoint.rules.description)), 'What it is for.', null),
  ordering: described(
    oneOf(webhookOrderings),
    '`parallel`: deliveries overtake each other, and each is tried ten times over three days. `sequential`: one at a time in the order of the feed; one that fails is tried until it succeeds, and the others wait.',
    'parallel',
  ),
  payload: described(
    oneOf(webhookPayloads),
    '`full`: the whole event. `thin`: without `data` and `changed`.',
    'full',
  ),
};

const status = described(
  oneOf(webhookStatuses),
  'Nothing is sent to a disabled endpoint. Enabled again, it gets what it has missed.',
  'enabled',
);

const firstSecret = { id: exampleId('webhook-secret'), hint: 'whsec_MfKQ…' };

/** Of each secret what can be shown. */
const shownSecret = strictObject({ id: secretId, hint, createdAt: instant, expiresAt });

const versioned = {
  ...fields,
  status,
  disabledReason: described(
    nullable(oneOf(webhookDisabledReasons)),
    'Why it is disabled. `by_hand`: by an administrator. `gone`: the receiver answered 410. `failing`: it has failed for too long.',
    null,
  ),
  secrets: described(
    listOf(shownSecret, 2),
    'The secrets that sign, newest first. One that has expired signs no more.',
    [{ ...firstSecret, created_at: '2026-03-01T12:00:00.000Z', expires_at: null }],
  ),
};

const ofEvent = resourceView<WebhookEndpoint>()('WebhookEndpoint', versioned);

/** How events show an endpoint: without what is no part of its version. */
export const webhookEndpointOfEventView: typeof ofEvent = {
  ...ofEvent,
  name: 'WebhookEndpointOfEvent',
  schema: { ...ofEvent.schema, title: 'WebhookEndpointOfEvent' },
};

const sequence = integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, violation: () => undefined });

export const webhookEndpointView = resourceView<ShownEndpoint>()('WebhookEndpoint', {
  ...versioned,
  position: described(
    sequence,
    'The sequence up to which matching events were enqueued for delivery. It is no part of `version`.',
    1,
  ),
  failingSince: described(
    nullable(instant),
    'Since when every attempt has failed; null when the last one succeeded. It is no part of `version`.',
    null,
  ),
});

const position = described(
  forSomeStates(integer(wholeNumber(0, Number.MAX_SAFE_INTEGER))),
  'Delivers everything after this sequence, once more where it was delivered before. From the last sequence that is no longer kept to the end of the feed.',
  1,
);

const { url, ...optional } = fields;

export const webhookEndpointRoutes = ({ webhookEndpoints }: UseCases) => [
  route('GET /webhook-endpoints', webhookEndpoints.list, {
    summary: 'List webhook endpoints',
    filters: {},
    input: ({ page }) => page,
    responder: page(webhookEndpointView),
  }),
  route('POST /webhook-endpoints', webhookEndpoints.create, {
    summary: 'Create a webhook endpoint',
    body: strictObject({ url }, optional),
    input: ({ body }) => ({ ...WebhookEndpoint.defaults, ...body }),
    responder: createdWithSecret(({ endpoint }: CreatedEndpoint) => endpoint, webhookEndpointView, {
      fields: { secret: secretText },
      values: ({ secret }) => ({ secret }),
    }),
  }),
  route('GET /webhook-endpoints/{id}', webhookEndpoints.get, {
    summary: 'Get a webhook endpoint',
    input: ({ path }) => path.id,
    responder: ok(webhookEndpointView),
  }),
  route('PATCH /webhook-endpoints/{id}', webhookEndpoints.change, {
    summary: 'Update a webhook endpoint',
    body: strictObject({}, { ...fields, status, position }),
    input: ({ path, expectedVersions, body }) => ({ id: path.id, expectedVersions, changes: body }),
    responder: ok(webhookEndpointView),
  }),
  route('DELETE /webhook-endpoints/{id}', webhookEndpoints.remove, {
    summary: 'Delete a webhook endpoint',
    input: ({ path, expectedVersions }) => ({ id: path.id, expectedVersions }),
    responder: noContent,
  }),
];
