import { described } from '#adapters/wire/codec.ts';
import { oneOf, text } from '#adapters/wire/codecs.ts';
import { strictObject } from '#adapters/wire/object-codec.ts';
import { resourceView } from '#adapters/wire/view.ts';
import type { UseCases } from '#application/application.ts';
import { roles } from '#domain/access.ts';
import { text as textRule } from '#domain/rule.ts';
import { User } from '#domain/user.ts';
import { created, noContent, ok, page } from '../routing/responders.ts';
import { route } from '../routing/route.ts';

const fields = {
  email: described(text(User.rules.email), 'Kept in lower case. No two have the same.', 'ada@example.com'),
  name: described(text(User.rules.name), 'How they want to be called.', 'Ada Winter'),
};
const role = { role: described(oneOf(roles), 'What their keys may be used for at the most.', 'customer') };

export const userView = resourceView<User>()('User', { ...fields, ...role });

export const userRoutes = ({ users }: UseCases) => [
  route('GET /users', users.list, {
    summary: 'Lists users',
    filters: { email: described(text(textRule(0, 254)), 'In any case of letters.', 'ada@example.com') },
    input: ({ filter, page }) => ({ filter, page }),
    responder: page(userView),
  }),
  route('POST /users', users.create, {
    summary: 'Adds a user',
    body: strictObject(fields, role),
    input: ({ body }) => ({ role: 'customer' as const, ...body }),
    responder: created(userView),
  }),
  route('GET /users/{user_id}', users.get, {
    summary: 'Shows a user',
    input: ({ path }) => path.user_id,
    responder: ok(userView),
  }),
  route('PATCH /users/{user_id}', users.change, {
    summary: 'Changes a user',
    body: strictObject({}, { ...fields, ...role }),
    input: ({ path, expectedVersions, body }) => ({ id: path.user_id, expectedVersions, changes: body }),
    responder: ok(userView),
  }),
  route('DELETE /users/{user_id}', users.remove, {
    summary: 'Removes a user',
    input: ({ path, expectedVersions }) => ({ id: path.user_id, expectedVersions }),
    responder: noContent,
  }),
];
