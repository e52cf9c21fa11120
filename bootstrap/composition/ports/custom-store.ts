import type { CustomStore, Inspection, Store } from '#adapters/persistence/store.ts';
import type { StoreKind } from '#adapters/persistence/store-kind.ts';
import type { AdapterModule } from '../../config/adapter-module.ts';
import { SettingError } from '../../config/env-parser.ts';
import {
  callFactory,
  loadModule,
  longestTimeoutMs,
  openAdapter,
  type Parts,
} from '../modules/load-adapter.ts';

/** The parts of a store from outside. */
export const customStoreParts = {
  unitOfWork: 'object',
  'unitOfWork.run': 'function',
  'unitOfWork.read': 'function',
  close: 'function',
  sandboxLedger: 'object?',
  quotas: 'function?',
  isNew: 'boolean?',
  numberEvents: 'function?',
  untilReplayed: 'function?',
  now: 'function?',
  connections: 'function?',
  queueDelay: 'function?',
  schema: 'function?',
} as const satisfies Parts & Record<keyof Store, string>;

/** The kind of a store from outside. Its module is loaded when the store is opened or inspected, and gets the URL unread. */
export const customKind = (module: AdapterModule): StoreKind => ({
  name: 'custom',
  product: module.file,
  urlForms: [],
  keptIn: module.file,
  hasOwnClock: true,
  sharesFile: false,
  hasPool: false,
  parse: (url) => ({ url }),
  isKept: () => true,
  open: async ({ url }, { timeoutMs } = {}) =>
    withDefaults(await openAdapter(module, { url }, customStoreParts, timeoutMs)),
  inspect: async ({ url }) => {
    const { inspectStore } = await loadModule(module);
    return callExport<Inspection>(module, 'inspectStore', inspectStore, { url });
  },
  backup: async (options) => {
    const { backupStore } = await loadModule(module);
    if (backupStore !== undefined)
      return callExport<number>(module, 'backupStore', backupStore, options, longestTimeoutMs);
    const remedy = 'Use the tools of its database.';
    throw new SettingError(module.setting, `names ${module.file}, which exports no backupStore. ${remedy}`);
  },
});

/** Calls a function that a module need not export. @returns undefined when it does not */
const callExport = async <T>(
  module: AdapterModule,
  name: string,
  exported: unknown,
  options: object,
  timeoutMs?: number,
): Promise<T | undefined> => {
  if (exported === undefined) return undefined;
  return (await callFactory({ ...module, factory: name }, exported, options, timeoutMs)) as T | undefined;
};

/** Adds what the module leaves out. Methods are bound, because functions of a store are passed on without it. */
const withDefaults = async (store: CustomStore): Promise<Store> => {
  const { memorySandboxLedger } = await import('#adapters/persistence/memory/open.ts');
  const { unitOfWork, sandboxLedger = memorySandboxLedger(), isNew = false } = store;
  const connections = store.connections?.bind(store);
  return {
    unitOfWork,
    sandboxLedger,
    isNew,
    numberEvents: store.numberEvents?.bind(store),
    untilReplayed: store.untilReplayed?.bind(store),
    quotas: store.quotas?.bind(store),
    now: store.now?.bind(store) ?? (async () => Date.now()),
    ...(connections === undefined ? {} : { connections }),
    queueDelay: store.queueDelay?.bind(store) ?? (() => 0),
    schema: store.schema?.bind(store) ?? schemaByReading(unitOfWork),
    close: () => store.close(),
  };
};

/** Without migrations the schema is what the module declares, but the store must respond to count as ready. */
const schemaByReading =
  (unitOfWork: CustomStore['unitOfWork']): Store['schema'] =>
  async () => {
    await unitOfWork.read(({ users }) => users.page({}, { limit: 1 }));
    return { pending: [], unknown: [] };
  };
