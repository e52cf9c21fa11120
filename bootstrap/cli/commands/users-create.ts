import { userView } from '#adapters/http/v1/users.ts';
import { roles } from '#domain/access.ts';
import { oneOf } from '../../config/env-parser.ts';
import { command, flag, nonEmpty, required, value } from '../framework/command.ts';
import { withApplication } from '../open-application.ts';
import { systemCaller } from '../system-caller.ts';

export const usersCreate = command({
  name: 'users create',
  description: 'Adds a user, and writes their id.',
  options: {
    email: required('EMAIL', {
      description: 'Where they are reached; one that no other user has.',
      parse: nonEmpty,
    }),
    name: required('NAME', { description: 'How they want to be called.', parse: nonEmpty }),
    role: value(roles.join('|'), {
      expects: `one of ${roles.join(', ')}`,
      description: 'What their keys may be used for at the most; customer, unless it is said.',
      parse: oneOf(roles),
    }),
    json: flag('Writes the user as JSON.'),
  },
  run: ({ email, name, role = 'customer', json }, terminal) =>
    withApplication(async ({ portico: { useCases, unitOfWork } }) => {
      const user = await unitOfWork.run(useCases.users.create(systemCaller, { email, name, role }));
      if (json) return terminal.print(`${JSON.stringify(userView.encode(user))}\n`);
      await terminal.notify(`Added ${user.email} as ${user.role}. The id:`);
      return terminal.print(`${user.id}\n`);
    }),
});
