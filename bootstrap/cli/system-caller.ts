import type { Application } from '#application/application.ts';
import type { Caller } from '#application/preconditions.ts';
import { Role } from '#domain/access.ts';
import type { ApiKeyId } from '#domain/api-key.ts';
import { DomainError } from '#domain/errors.ts';
import { Id } from '#domain/resource.ts';
import { User, type UserId } from '#domain/user.ts';

/** The SYSTEM principal: may do everything, without being a user or holding a key. */
export const systemCaller: Caller = {
  userId: '' as UserId,
  keyId: '' as ApiKeyId,
  role: 'admin',
  scopes: Role.scopes('admin'),
};

/** What names a user on a command line. */
export const userReference = {
  expects: "a user's e-mail address or ID",
  parse: (text: string): string | undefined =>
    Id.parse(text) ?? (User.rules.email.violation(text) === undefined ? text : undefined),
};

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
  if (user === undefined) {
    const advice = 'portico users list shows all, and portico users create creates one.';
    throw new DomainError('not-found', `There is no user ${emailOrId}. ${advice}`);
  }
  return user;
};

/** The e-mail addresses of the users whom resources belong to, by ID. Users who do not exist any more are omitted. */
export const emailsOf = async (
  { unitOfWork }: Application,
  resources: readonly { readonly userId: UserId }[],
): Promise<ReadonlyMap<string, string>> => {
  const emails = new Map<string, string>();
  await unitOfWork.read(async ({ users }) => {
    for (const id of new Set(resources.map(({ userId }) => userId))) {
      const user = await users.find(id);
      if (user !== undefined) emails.set(id, user.email);
    }
  });
  return emails;
};
