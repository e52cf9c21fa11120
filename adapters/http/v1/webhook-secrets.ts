import { described } from '#adapters/wire/codec.ts';
import { id, instant, integer, nullable, text } from '#adapters/wire/codecs.ts';
import { strictObject } from '#adapters/wire/object-codec.ts';
import { resourceView } from '#adapters/wire/view.ts';
import type { UseCases } from '#application/application.ts';
import type { IssuedSecret } from '#application/use-cases/webhook-secrets.ts';
import { type EndpointSecret, WebhookEndpoint } from '#domain/webhooks/endpoint.ts';
import { createdWithSecret, noContent, ok, page } from '../routing/responders.ts';
import { route } from '../routing/route.ts';

/** What clients see of a secret, in its endpoint and by itself. */
export const secretId = described(id('webhook-secret'), 'The id of the secret.');

export const hint = described(
  text({ minLength: 1, maxLength: 20, violation: () => undefined }),
  'Its first letters, by which you can tell it from another one.',
  'whsec_MfKQ…',
);

export const expiresAt = described(
  nullable(instant),
  'From when on it signs nothing; null for the newest.',
  null,
);

export const secretText = described(
  text({ minLength: 50, maxLength: 50, pattern: /^whsec_[A-Za-z0-9+/]{43}=$/, violation: () => undefined }),
  'The secret with which a receiver verifies signatures. It is shown once.',
  `whsec_${'x'.repeat(42)}w=`,
);

const previousExpiresIn = described(
  integer(WebhookEndpoint.secretOverlap),
  'For how many seconds the secret before goes on signing, beside the new one. One from before that signs no more. Defaults to a day.',
  WebhookEndpoint.defaultSecretOverlap,
);

const webhookSecretView = resourceView<EndpointSecret>()('WebhookSecret', { hint, expiresAt });

export const webhookSecretRoutes = ({ webhookSecrets }: UseCases) => [
  route('GET /webhook-endpoints/{endpoint_id}/secrets', webhookSecrets.list, {
    summary: 'List the secrets of a webhook endpoint',
    filters: {},
    input: ({ path, page }) => ({ endpointId: path.endpoint_id, page }),
    responder: page(webhookSecretView),
  }),
  route('POST /webhook-endpoints/{endpoint_id}/secrets', webhookSecrets.add, {
    summary: 'Replace the secret of a webhook endpoint',
    body: strictObject({}, { previousExpiresIn }),
    input: ({ path, body }) => ({ endpointId: path.endpoint_id, ...body }),
    responder: createdWithSecret((issued: IssuedSecret) => issued, webhookSecretView, {
      fields: { secret: secretText },
      values: ({ secret }) => ({ secret }),
    }),
  }),
  route('GET /webhook-endpoints/{endpoint_id}/secrets/{id}', webhookSecrets.get, {
    summary: 'Get a secret of a webhook endpoint',
    input: ({ path }) => ({ endpointId: path.endpoint_id, id: path.id }),
    responder: ok(webhookSecretView),
  }),
  route('DELETE /webhook-endpoints/{endpoint_id}/secrets/{id}', webhookSecrets.remove, {
    summary: 'Delete a secret of a webhook endpoint',
    input: ({ path, expectedVersions }) => ({
      endpointId: path.endpoint_id,
      id: path.id,
      expectedVersions,
    }),
    responder: noContent,
  }),
];
