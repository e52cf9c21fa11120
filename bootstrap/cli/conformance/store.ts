import { type Exports, openAdapter } from '../../composition/modules/load-adapter.ts';
import { customStoreParts } from '../../composition/ports/custom-store.ts';
import type { AdapterModule } from '../../config/adapter-module.ts';
import { readText } from '../../config/env-parser.ts';
import { UsageError } from '../framework/exit-codes.ts';

type Kit = typeof import('portico/conformance');
type AdapterSuites = import('portico/conformance').AdapterSuites;
type TestStore = import('portico/conformance').TestStore;

/** The suites of a store, which is opened by `openEmptyStore` where the module exports that. */
export const storeSuites = (module: AdapterModule, exported: Exports, kit: Kit): Promise<AdapterSuites> =>
  kit.suitesFor(openerOf(module, exported));

const openerOf = (module: AdapterModule, { openEmptyStore }: Exports): (() => Promise<TestStore>) => {
  if (typeof openEmptyStore === 'function') {
    const own = { ...module, factory: 'openEmptyStore' };
    return () => openAdapter<TestStore>(own, {}, customStoreParts);
  }
  const url = readText(process.env, 'DATABASE_URL') ?? '';
  return async () => {
    const store = await openAdapter<TestStore>(module, { url }, customStoreParts);
    await requireEmpty(store, module);
    return store;
  };
};

/** The suites change and remove what they find. @throws UsageError when the store has data */
const requireEmpty = async (store: TestStore, { file }: AdapterModule): Promise<void> => {
  const first = { limit: 1 };
  const { length } = await store.unitOfWork.read(async ({ products, users }) => [
    ...(await users.page({}, first)).rows,
    ...(await products.page({}, first)).rows,
  ]);
  if (length === 0) return;
  await store.close();
  throw new UsageError(
    `The store that ${file} opens is not empty. Export openEmptyStore, which opens a new empty store each time.`,
  );
};
