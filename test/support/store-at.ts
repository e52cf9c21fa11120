import type { Store } from '#adapters/persistence/store.ts';
import { openStore } from '#bootstrap/composition/ports/open-store.ts';
import { readConfig } from '#bootstrap/config/config.ts';

/** Opens the store at a DATABASE_URL, as a server opens it. */
export const storeAt = (url: string | undefined): ReturnType<typeof openStore> =>
  openStore(readConfig({ DATABASE_URL: url }).database);

/** Does something with the store at a DATABASE_URL, and closes it. */
export const inStoreAt = async <T>(
  url: string | undefined,
  work: (store: Store) => Promise<T>,
): Promise<T> => {
  const store = await storeAt(url);
  return work(store).finally(() => store.close());
};
