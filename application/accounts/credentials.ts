import type { UserId } from '#domain/user.ts';
import { readAll } from '../pages.ts';
import type { Repositories } from '../ports/repositories.ts';

/** Removes the API keys of a user. */
export const removeKeys = async (
  { apiKeys }: Pick<Repositories, 'apiKeys'>,
  userId: UserId,
): Promise<void> => {
  for await (const { id } of readAll(apiKeys, { userId })) await apiKeys.remove(id);
};

/** Removes the links of a user to identity providers. */
export const removeIdentities = async (
  { identities }: Pick<Repositories, 'identities'>,
  userId: UserId,
): Promise<void> => {
  for await (const { id } of readAll(identities, { userId })) await identities.remove(id);
};
