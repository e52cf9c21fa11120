import { User, type UserId } from '#domain/user.ts';
import type { Clock, NewId } from './ports/system.ts';
import type { Reading, UnitOfWork, Work } from './ports/unit-of-work.ts';
import { retryOnceOnConflict } from './retry-on-conflict.ts';

const operator = { email: 'operator@localhost', name: 'Operator', role: 'admin' } as const;

interface Dependencies {
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** The administrator that the operator's own key stands for, made when there is none. */
export const ensureOperator = async ({ unitOfWork, clock, newId }: Dependencies): Promise<UserId> => {
  const known = await unitOfWork.read(findOperator);
  if (known?.role === operator.role) return known.id;
  return retryOnceOnConflict(unitOfWork, makeOperator(clock, newId));
};

const findOperator: Reading<User | undefined> = async ({ users }) =>
  (await users.page({ email: operator.email }, { limit: 1 })).rows[0];

const makeOperator =
  (clock: Clock, newId: NewId): Work<UserId> =>
  async (repositories) => {
    const { users } = repositories;
    const known = await findOperator(repositories);
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
