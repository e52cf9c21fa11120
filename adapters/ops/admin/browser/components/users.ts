// @ts-nocheck
/** @returns undefined where the user is deleted, or the key may not read it */
export const readUser = async ({ api, signal }, id) => {
  try {
    return (await api.send('GET /users/{user_id}', { path: { user_id: id }, signal })).data;
  } catch (error) {
    if (error.status === 403 || error.status === 404) return undefined;
    throw error;
  }
};

/** @returns the user with an e-mail address, or undefined */
export const findUser = async ({ api, signal }, email) =>
  (await api.send('GET /users', { query: { email }, signal })).data[0];

export const nameOf = (user) => user?.name ?? user?.email ?? 'A user whose data are erased';
