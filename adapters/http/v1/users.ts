import { described, normalized } from '#adapters/wire/codec.ts';
import { oneOf, text } from '#adapters/wire/codecs.ts';
import { externalId, externalIdFilter, metadata, metadataPatch } from '#adapters/wire/metadata.ts';
import { strictObject } from '#adapters/wire/object-codec.ts';
import { resourceView } from '#adapters/wire/view.ts';
import type { UseCases } from '#application/application.ts';
import { roles } from '#domain/access.ts';
import { Email } from '#domain/email.ts';
import type { TextRule } from '#domain/rule.ts';
import { User, userStatuses } from '#domain/user.ts';
import { creationPeriod } from '../routing/list-query.ts';
import { created, noContent, ok, page } from '../routing/responders.ts';
import { route } from '../routing/route.ts';

const email = (rule: TextRule) =>
  described(
    text(rule),
    'A unique email address, stored in lower case. A domain outside ASCII is stored in its ASCII form (UTS 46).',
    'grace@example.com',
  );

const name = described(
  text(User.rules.name),
  'The name of the user. Neither end may be white space or invisible.',
  'Grace Hill',
);
const fields = { email: email(User.rules.email), name };
const role = { role: described(oneOf(roles), 'The most that the API keys of this user may do.', 'customer') };

const integration = { externalId, metadata };

export const userView = resourceView<User>()('User', {
  email: email(Email.stored),
  name,
  ...role,
  status: described(
    oneOf(userStatuses),
    'Erased users are read-only, and nothing can be done as them.',
    'active',
  ),
  ...integration,
});

const emailFilter: TextRule = {
  ...Email.given,
  violation: (value) => {
    const violation = Email.given.violation(value);
    return violation && value.includes(' ') ? `${violation}; in a URL a plus is written %2B` : violation;
  },
};

export const userRoutes = ({ users }: UseCases) => [
  route('GET /users', users.list, {
    summary: 'List users',
    filters: {
      email: described(
        normalized(text(emailFilter), Email.normalize),
        'An email address, in upper or lower case. Write a plus as `%2B`.',
        'grace@example.com',
      ),
      ...role,
      externalId: externalIdFilter,
      ...creationPeriod,
    },
    input: ({ filter, page }) => ({ filter, page }),
    responder: page(userView),
  }),
  route('POST /users', users.create, {
    summary: 'Create a user',
    body: strictObject(fields, { ...role, ...integration }),
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
    body: strictObject({}, { ...fields, ...role, externalId, metadata: metadataPatch }),
    input: ({ path, expectedVersions, body }) => ({ id: path.user_id, expectedVersions, changes: body }),
    responder: ok(userView),
  }),
  route('DELETE /users/{user_id}', users.remove, {
    summary: 'Delete a user',
    input: ({ path, expectedVersions }) => ({ id: path.user_id, expectedVersions }),
    responder: noContent,
  }),
];
