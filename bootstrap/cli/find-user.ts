import type { Application } from '#application/application.ts';
import { DomainError } from '#domain/errors.ts';
import { Id } from '#domain/id.ts';
import type { User, UserId } from '#domain/user.ts';
import { systemCaller } from './system-caller.ts';

/** @throws DomainError 'not-found' when no user has that e-mail address or ID */
export const findUser = async (
  emailOrId: string,
  { unitOfWork, useCases }: Pick<Application, 'unitOfWork' | 'useCases'>,
): Promise<User> => {
  const id = Id.parse<UserId>(emailOrId);
  const user = await unitOfWork.read(async (repositories) => {
    if (id !== undefined) return repositories.users.find(id);
    const query = { filter: { email: emailOrId }, page: { limit: 1 } };
    return (await useCases.users.list(systemCaller, query)(repositories)).rows[0];
  });
  if (user === undefined) throw new DomainError('not-found', `There is no user ${emailOrId}.`);
  return user;
};
