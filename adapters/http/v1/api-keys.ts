import type { IssuedKey } from '#application/api-keys.ts';
import type { UseCases } from '#application/portico.ts';
import { scopes } from '#domain/access.ts';
import { ApiKey } from '#domain/api-key.ts';
import type { UserId } from '#domain/user.ts';
import { createdWithSecret, many, nothing, one } from '../answers.ts';
import { id, instant, listOf, nullable, oneOf, text } from '../codecs.ts';
import { record } from '../record.ts';
import { type Route, route } from '../route.ts';
import { resourceView } from '../view.ts';

const fields = {
  userId: id<UserId>(),
  name: text(ApiKey.rules.name),
  scopes: listOf(oneOf(scopes)),
  expiresAt: nullable(instant),
};

const { name, ...optional } = fields;
const issued = record({ name }, optional);

const view = resourceView<ApiKey>()('ApiKey', { ...fields, lastUsedAt: nullable(instant) });

export const apiKeyRoutes = ({ apiKeys }: UseCases): readonly Route[] => [
  route('GET /api-keys', apiKeys.list, {
    summary: 'Lists API keys',
    filters: {},
    input: ({ page }) => page,
    answer: many(view),
  }),
  route('POST /api-keys', apiKeys.issue, {
    summary: 'Issues an API key',
    body: issued,
    input: ({ body }) => ({ expiresAt: null, ...body }),
    answer: createdWithSecret(({ key }: IssuedKey) => key, view, {
      says: { token: 'What is shown with each request. It is given once, and kept nowhere.' },
      of: ({ token }) => ({ token }),
    }),
  }),
  route('GET /api-keys/{id}', apiKeys.get, {
    summary: 'Shows an API key',
    input: ({ path }) => path.id,
    answer: one(view),
  }),
  route('DELETE /api-keys/{id}', apiKeys.revoke, {
    summary: 'Revokes an API key',
    input: ({ path, seen }) => ({ id: path.id, seen }),
    answer: nothing,
  }),
];
