import { described } from '#adapters/wire/codec.ts';
import { boolean, id, instant, integer, listOf, nullable, oneOf, text } from '#adapters/wire/codecs.ts';
import { strictObject } from '#adapters/wire/object-codec.ts';
import { resourceView } from '#adapters/wire/view.ts';
import type { UseCases } from '#application/application.ts';
import type { IssuedKey } from '#application/use-cases/api-keys.ts';
import { scopes } from '#domain/access.ts';
import { ApiKey } from '#domain/api-key.ts';
import { createdWithSecret, noContent, ok, page } from '../routing/responders.ts';
import { route } from '../routing/route.ts';

const fields = {
  userId: described(id('user'), 'The user for whom the key acts. Defaults to the caller.'),
  name: described(
    text(ApiKey.rules.name),
    'Where the key is used, so that you know which one to revoke. Neither end may be white space or invisible.',
    'Laptop',
  ),
  scopes: described(
    listOf(oneOf(scopes), scopes.length),
    'What the key may be used for. Defaults to those scopes of the role that the key of the request has too, and for a publishable key to `products:read`, the only one that it may have.',
    ['products:read', 'orders:write'],
  ),
  expiresAt: described(
    nullable(instant),
    'When the key expires; null for never. Defaults to the expiry of the key that creates it, which it cannot exceed.',
    '2099-03-01T12:00:00.000Z',
  ),
  publishable: described(
    boolean,
    'Whether the token may stand in a web page: it begins with `ptp_` and reads active products only. Written by administrators, at creation.',
    false,
  ),
  rateLimit: described(
    nullable(integer(ApiKey.rules.rateLimit)),
    'Requests of this key in each window of the rate limit; null for the usual number. Written by administrators.',
    null,
  ),
};

const { name, ...optional } = fields;
const issued = strictObject({ name }, optional);

const token = described(
  text({ minLength: 5, maxLength: 200, pattern: /^pt[cp]_[0-9A-Za-z_]+$/, violation: () => undefined }),
  'The secret to send with each request. It is shown once and not stored.',
  `ptc_${'0'.repeat(32)}_${'x'.repeat(49)}`,
);

const lastUsedAt = described(
  nullable(instant),
  'When the key was last used, to within a minute.',
  '2026-03-01T12:00:00.000Z',
);

const createdBy = described(
  nullable(id('api-key')),
  'The key with which it was created; null when there was none. That key may have been revoked.',
  null,
);

export const apiKeyView = resourceView<ApiKey>()('ApiKey', { ...fields, lastUsedAt, createdBy });

export const apiKeyRoutes = ({ apiKeys }: UseCases) => [
  route('GET /api-keys', apiKeys.list, {
    summary: 'List API keys',
    filters: { userId: fields.userId },
    input: ({ filter, page }) => ({ filter, page }),
    responder: page(apiKeyView),
  }),
  route('POST /api-keys', apiKeys.issue, {
    summary: 'Create an API key',
    body: issued,
    input: ({ body }) => body,
    responder: createdWithSecret(({ key }: IssuedKey) => key, apiKeyView, {
      fields: { token },
      values: ({ token }) => ({ token }),
    }),
  }),
  route('GET /api-keys/{id}', apiKeys.get, {
    summary: 'Get an API key',
    input: ({ path }) => path.id,
    responder: ok(apiKeyView),
  }),
  route('PATCH /api-keys/{id}', apiKeys.change, {
    summary: 'Update an API key',
    body: strictObject({}, { name, rateLimit: fields.rateLimit }),
    input: ({ path, expectedVersions, body }) => ({ id: path.id, expectedVersions, changes: body }),
    responder: ok(apiKeyView),
  }),
  route('DELETE /api-keys/{id}', apiKeys.revoke, {
    summary: 'Revoke an API key',
    input: ({ path, expectedVersions }) => ({ id: path.id, expectedVersions }),
    responder: noContent,
  }),
];
