import type { UserId } from '#domain/user.ts';
import { readAll } from './pages.ts';
import type { Repositories } from './ports/repositories.ts';

/** Removes the API keys of a user, and the links to their identity providers. */
export const removeCredentials = async (
  { apiKeys, identities }: Pick<Repositories, 'apiKeys' | 'identities'>,
  userId: UserId,
): Promise<void> => {
  for await (const { id } of readAll(identities, { userId })) await identities.remove(id);
  for await (const { id } of readAll(apiKeys, { userId })) await apiKeys.remove(id);
};
