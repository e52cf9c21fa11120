import { User, type UserId } from '#domain/user.ts';
import type { Clock } from './ports/clock.ts';
import type { NewId } from './ports/ids.ts';
import type { Work } from './ports/unit-of-work.ts';

const operator = { email: 'operator@localhost', name: 'Operator', role: 'admin' } as const;

/** The administrator that the operator's own key stands for, made when there is none. */
export const ensureOperator =
  ({ clock, newId }: { readonly clock: Clock; readonly newId: NewId }): Work<UserId> =>
  async ({ users }) => {
    const known = (await users.page({ email: operator.email }, { limit: 1 })).rows[0];
    if (known === undefined) {
      const user = User.create(newId(), operator, clock.now());
      await users.add(user);
      return user.id;
    }
    if (known.role !== operator.role) {
      await users.save(User.change(known, { role: operator.role }, clock.now()));
    }
    return known.id;
  };
