import type { IssuedKey } from '#application/api-keys.ts';
import type { UseCases } from '#application/portico.ts';
import { scopes } from '#domain/access.ts';
import { ApiKey } from '#domain/api-key.ts';
import type { UserId } from '#domain/user.ts';
import { createdWithSecret, many, nothing, one } from '../answers.ts';
import { id, instant, listOf, nullable, oneOf, record, text } from '../codecs.ts';
import { type Route, route } from '../route.ts';
import { resourceView } from './common.ts';

const view = resourceView<ApiKey>((key) => ({
  user_id: key.userId,
  name: key.name,
  scopes: key.scopes,
  expires_at: key.expiresAt,
  last_used_at: key.lastUsedAt,
}));

export const apiKeyRoutes = ({ apiKeys }: UseCases): readonly Route[] => [
  route('GET /api-keys', apiKeys.list, {
    filters: {},
    input: ({ page }) => page,
    answer: many(view),
  }),
  route('POST /api-keys', apiKeys.issue, {
    body: record(
      { name: text(ApiKey.rules.name) },
      { userId: id<UserId>(), scopes: listOf(oneOf(scopes)), expiresAt: nullable(instant) },
    ),
    input: ({ body }) => ({ expiresAt: null, ...body }),
    answer: createdWithSecret(
      ({ key }: IssuedKey) => key,
      view,
      ({ token }) => ({ token }),
    ),
  }),
  route('GET /api-keys/{id}', apiKeys.get, {
    input: ({ path }) => path.id,
    answer: one(view),
  }),
  route('DELETE /api-keys/{id}', apiKeys.revoke, {
    input: ({ path, seen }) => ({ id: path.id, seen }),
    answer: nothing,
  }),
];
