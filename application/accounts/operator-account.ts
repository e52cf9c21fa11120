import { User, type UserId } from '#domain/user.ts';
import type { Clock, NewId } from '../ports/system.ts';
import { type Reading, retryOnceOnConflict, type UnitOfWork, type Work } from '../ports/unit-of-work.ts';

const operator = { email: 'operator@localhost', name: 'Operator', role: 'admin' } as const;

/** Whether the user owns the operator's API key. */
export const isOperator = ({ email }: User): boolean => email === operator.email;

interface Dependencies {
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** Finds or creates the administrator that owns the operator's API key. */
export const ensureOperator = async ({ unitOfWork, clock, newId }: Dependencies): Promise<UserId> => {
  const existing = await unitOfWork.read(findOperator);
  if (existing?.role === operator.role) return existing.id;
  return retryOnceOnConflict(unitOfWork, createOperator(clock, newId));
};

const findOperator: Reading<User | undefined> = async ({ users }) =>
  (await users.page({ email: operator.email }, { limit: 1 })).rows[0];

const createOperator =
  (clock: Clock, newId: NewId): Work<UserId> =>
  async (repositories) => {
    const { users } = repositories;
    const existing = await findOperator(repositories);
    if (existing === undefined) {
      const user = User.create(newId(), operator, clock.now());
      await users.add(user);
      return user.id;
    }
    if (existing.role !== operator.role) {
      await users.save(User.change(existing, { role: operator.role }, clock.now()));
    }
    return existing.id;
  };
