import type { ApiKey, Credential, Send, User } from '../resources.ts';

/** Who is signed in, as far as it can be read. */
export interface Caller {
  readonly key?: ApiKey;
  /** For whom the key acts. */
  readonly user?: User;
}

const tokenForm = /^ptc_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_/;

/**
 * Who is signed in, as far as the key may read it. A token begins with the id of its key. The operator's key, that of the demonstration
 * and the tokens of an identity provider are in no list.
 * @param fetchDemoKey returns the administrator's key of the demonstration; undefined where there is none
 * @returns the key, and the user for whom it acts; nothing where they cannot be read
 */
export const readCaller = async (
  send: Send,
  token: Credential,
  fetchDemoKey: () => Promise<string | undefined>,
): Promise<Caller> => {
  const match = typeof token === 'string' ? tokenForm.exec(token) : null;
  if (match === null || (await fetchDemoKey()) === token) return {};
  try {
    const { data: key } = await send('GET /api-keys/{id}', { path: { id: match.slice(1).join('-') } });
    const { data: user } = await send('GET /users/{user_id}', { path: { user_id: key.user_id } });
    return { key, user };
  } catch {
    return {};
  }
};

/** Whether an administrator is signed in. Who is unknown may be one: the API decides. */
export const mayBeAdmin = ({ user }: Caller = {}): boolean => user === undefined || user.role === 'admin';
