import { errorOf } from '../errors.ts';
import type { User } from '../resources.ts';
import type { Context } from '../view.ts';

type Reading = Pick<Context, 'api' | 'signal'>;

/** @returns undefined where the user is deleted, or the key may not read it */
export const readUser = async ({ api, signal }: Reading, id: string): Promise<User | undefined> => {
  try {
    return (await api.send('GET /users/{user_id}', { path: { user_id: id }, signal })).data;
  } catch (error) {
    const { status } = errorOf(error);
    if (status === 403 || status === 404) return undefined;
    throw error;
  }
};

/** @returns the user with an e-mail address, or undefined */
export const findUser = async ({ api, signal }: Reading, email: string): Promise<User | undefined> =>
  (await api.send('GET /users', { query: { email }, signal })).data[0];

export const nameOf = (user: User | undefined): string =>
  user?.name ?? user?.email ?? 'A user whose data are erased';
