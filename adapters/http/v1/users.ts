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
  email: described(
    text(User.rules.email),
    'A unique email address, stored in lower case.',
    'ada@example.com',
  ),
  name: described(text(User.rules.name), 'The name of the user.', 'Ada Winter'),
};
const role = { role: described(oneOf(roles), 'The most that the API keys of this user may do.', 'customer') };

export const userView = resourceView<User>()('User', { ...fields, ...role });

export const userRoutes = ({ users }: UseCases) => [
  route('GET /users', users.list, {
    summary: 'List users',
    filters: {
      email: described(
        text(textRule(0, 254)),
        'An email address, in upper or lower case.',
        'ada@example.com',
      ),
    },
    input: ({ filter, page }) => ({ filter, page }),
    responder: page(userView),
  }),
  route('POST /users', users.create, {
    summary: 'Create a user',
    body: strictObject(fields, role),
    input: ({ body }) => ({ role: 'customer' as const, ...body }),
    responder: created(userView),
  }),
  route('GET /users/{user_id}', users.get, {
    summary: 'Get a user',
    input: ({ path }) => path.user_id,
    responder: ok(userView),
  }),
  route('PATCH /users/{user_id}', users.change, {
    summary: 'Update a user',
    body: strictObject({}, { ...fields, ...role }),
    input: ({ path, expectedVersions, body }) => ({ id: path.user_id, expectedVersions, changes: body }),
    responder: ok(userView),
  }),
  route('DELETE /users/{user_id}', users.remove, {
    summary: 'Delete a user',
    input: ({ path, expectedVersions }) => ({ id: path.user_id, expectedVersions }),
    responder: noContent,
  }),
];
