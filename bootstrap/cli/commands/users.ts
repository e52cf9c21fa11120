import { userView } from '#adapters/http/v1/users.ts';
import { roles } from '#domain/access.ts';
import { externalId } from '#domain/external-id.ts';
import { User, type UserId } from '#domain/user.ts';
import { oneOf } from '../../config/env-parser.ts';
import { command, flag, nonEmpty, required, value } from '../framework/command.ts';
import { renderTable } from '../framework/table.ts';
import { withApplication, withExistingApplication } from '../open-application.ts';
import { notifyMore, pageOptions, periodOptions, readPages } from '../paging.ts';
import { systemCaller } from '../system-caller.ts';

export const usersCreate = command({
  name: 'users create',
  description: 'Create a user and print the ID.',
  options: {
    email: required('EMAIL', {
      description: 'The e-mail address, which no other user has.',
      rule: User.rules.email,
      parse: nonEmpty,
    }),
    name: required('NAME', { description: 'The display name.', rule: User.rules.name, parse: nonEmpty }),
    role: value(roles.join('|'), {
      description: "The role, which limits what the user's keys can do. Default: customer.",
      expects: `one of ${roles.join(', ')}`,
      parse: oneOf(roles),
    }),
    json: flag('Print the user as JSON.'),
  },
  run: ({ email, name, role = 'customer', json }, terminal) =>
    withApplication(async ({ application: { useCases, unitOfWork } }) => {
      const user = await unitOfWork.run(useCases.users.create(systemCaller, { email, name, role }));
      if (json) return terminal.print(`${JSON.stringify(userView.encode(user))}\n`);
      await terminal.notify(`Created ${user.email} with the role ${user.role}. The user's ID:`);
      return terminal.print(`${user.id}\n`);
    }),
});

export const usersList = command({
  name: 'users list',
  description: 'List users, the oldest first, or the newest with --newest.',
  isReadOnly: true,
  options: {
    email: value('EMAIL', {
      description: 'Only the user with this e-mail address.',
      rule: User.rules.email,
      parse: nonEmpty,
    }),
    role: value(roles.join('|'), {
      description: 'Only users with this role.',
      expects: `one of ${roles.join(', ')}`,
      parse: oneOf(roles),
    }),
    externalId: value('ID', {
      description: 'Only the user with this id in another system.',
      rule: externalId,
      parse: nonEmpty,
    }),
    ...periodOptions,
    ...pageOptions<UserId>(),
    json: flag('Print the users as a JSON array.'),
  },
  run: ({ email, role, externalId, json, ...paging }, terminal) =>
    withExistingApplication(async ({ application: { useCases, unitOfWork } }) => {
      const filter = { ...(email && { email }), ...(role && { role }), ...(externalId && { externalId }) };
      const users = await readPages(paging, (page) =>
        unitOfWork.read(useCases.users.list(systemCaller, { filter, page })),
      );
      if (json) await terminal.print(`${JSON.stringify(users.rows.map(userView.encode))}\n`);
      else if (users.rows.length === 0) await terminal.notify('No users found.');
      else {
        const rows = users.rows.map(({ id, email, role, createdAt, name }) => [
          id,
          email,
          role,
          createdAt,
          name,
        ]);
        await terminal.print(
          renderTable([['ID', 'EMAIL', 'ROLE', 'CREATED', 'NAME'], ...rows], terminal.columns),
        );
      }
      await notifyMore(users, terminal);
    }),
});
