import { described } from '#adapters/wire/codec.ts';
import { id, instant, listOf, nullable, oneOf, text } from '#adapters/wire/codecs.ts';
import { strictObject } from '#adapters/wire/object-codec.ts';
import { resourceView } from '#adapters/wire/view.ts';
import type { UseCases } from '#application/application.ts';
import type { IssuedKey } from '#application/use-cases/api-keys.ts';
import { scopes } from '#domain/access.ts';
import { ApiKey } from '#domain/api-key.ts';
import { createdWithSecret, noContent, ok, page } from '../routing/responders.ts';
import { route } from '../routing/route.ts';

const fields = {
  userId: described(id('user'), 'Whom it acts for; whoever issues it, unless it is said.'),
  name: described(text(ApiKey.rules.name), 'Where it is used, so that one knows what to revoke.', 'Laptop'),
  scopes: described(
    listOf(oneOf(scopes), scopes.length),
    'What it may be used for; all that the role has, unless it is said.',
    ['products:read', 'orders:write'],
  ),
  expiresAt: described(nullable(instant), 'When it stops working.', '2027-03-01T12:00:00.000Z'),
};

const { name, ...optional } = fields;
const issued = strictObject({ name }, optional);

const token = described(
  text({ minLength: 5, maxLength: 200, pattern: /^ptc_[0-9A-Za-z_]+$/, violation: () => undefined }),
  'What is shown with each request. It is given once, and kept nowhere.',
  `ptc_${'0'.repeat(32)}_${'x'.repeat(49)}`,
);

const lastUsedAt = described(nullable(instant), 'To within a minute.', '2026-03-01T12:00:00.000Z');

export const apiKeyView = resourceView<ApiKey>()('ApiKey', { ...fields, lastUsedAt });

export const apiKeyRoutes = ({ apiKeys }: UseCases) => [
  route('GET /api-keys', apiKeys.list, {
    summary: 'Lists API keys',
    filters: {},
    input: ({ page }) => page,
    responder: page(apiKeyView),
  }),
  route('POST /api-keys', apiKeys.issue, {
    summary: 'Issues an API key',
    body: issued,
    input: ({ body }) => ({ expiresAt: null, ...body }),
    responder: createdWithSecret(({ key }: IssuedKey) => key, apiKeyView, {
      fields: { token },
      values: ({ token }) => ({ token }),
    }),
  }),
  route('GET /api-keys/{id}', apiKeys.get, {
    summary: 'Shows an API key',
    input: ({ path }) => path.id,
    responder: ok(apiKeyView),
  }),
  route('DELETE /api-keys/{id}', apiKeys.revoke, {
    summary: 'Revokes an API key',
    input: ({ path, expectedVersions }) => ({ id: path.id, expectedVersions }),
    responder: noContent,
  }),
];
