import type { Portico } from '#application/application.ts';
import { DomainError } from '#domain/errors.ts';
import { Id } from '#domain/id.ts';
import type { User, UserId } from '#domain/user.ts';
import { founder } from './system-caller.ts';

/** The user with that e-mail address or id. @throws DomainError 'not-found' */
export const userNamed = async (
  name: string,
  { useCases: { users }, unitOfWork }: Pick<Portico, 'useCases' | 'unitOfWork'>,
): Promise<User> => {
  const id = Id.parse<UserId>(name);
  if (id !== undefined) return unitOfWork.read(users.get(founder, id));
  const wanted = { filter: { email: name }, page: { limit: 1 } };
  const [user] = (await unitOfWork.read(users.list(founder, wanted))).rows;
  if (user === undefined) throw new DomainError('not-found', `There is no user ${name}.`);
  return user;
};
