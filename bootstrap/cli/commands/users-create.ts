import { userView } from '#adapters/http/v1/users.ts';
import { roles } from '#domain/access.ts';
import { oneOf } from '../../config/env-parser.ts';
import { command } from '../framework/command.ts';
import { flag, required, value, words } from '../framework/option.ts';
import { withPortico } from '../open-application.ts';
import { founder } from '../system-caller.ts';

export const usersCreate = command({
  name: 'users create',
  says: 'Adds a user, and writes their id.',
  options: {
    email: required('EMAIL', { says: 'Where they are reached; one that no other user has.', read: words }),
    name: required('NAME', { says: 'How they want to be called.', read: words }),
    role: value(roles.join('|'), {
      says: 'What their keys may be used for at the most; customer, unless it is said.',
      read: oneOf(roles),
    }),
    json: flag('Writes the user as JSON.'),
  },
  run: ({ email, name, role = 'customer', json }, terminal) =>
    withPortico(async ({ portico: { useCases, unitOfWork } }) => {
      const user = await unitOfWork.run(useCases.users.create(founder, { email, name, role }));
      if (json) return terminal.print(`${JSON.stringify(userView.write(user))}\n`);
      await terminal.note(`Added ${user.email} as ${user.role}. The id:`);
      return terminal.print(`${user.id}\n`);
    }),
});
