import { ApplicationError } from '#application/errors.ts';

/** The ledger of the sandbox, shared by all processes. The first value that is kept under a key stands for ever. */
export interface SandboxLedger {
  find(key: string): Promise<string | undefined>;
  /** Stores a value unless there is one already. @returns the stored value */
  keep(key: string, value: string): Promise<string>;
}

/**
 * The ledger with values in place of texts. It is in Portico's own database: while that is unavailable each rejects with 'unavailable', as
 * any other statement does, because no provider has failed.
 */
export interface Entries {
  find<T>(key: string): Promise<T | undefined>;
  keep<T>(key: string, value: T): Promise<T>;
}

export const entriesOf = (ledger: SandboxLedger): Entries => ({
  find: async (key) => {
    const text = await ledger.find(key);
    return text === undefined ? undefined : JSON.parse(text);
  },
  keep: async (key, value) => JSON.parse(await ledger.keep(key, JSON.stringify(value))),
});

/** Reads a list: its entry n is kept under `name/n`, from 1 on and without gaps. */
const readList = async <T>(entries: Entries, name: string): Promise<readonly T[]> => {
  const list: T[] = [];
  for (;;) {
    const entry = await entries.find<T>(`${name}/${list.length + 1}`);
    if (entry === undefined) return list;
    list.push(entry);
  }
};

/**
 * Appends to a list, so that concurrent writers agree on the order of their entries.
 * @param next the entry that comes after these; undefined when there is none to append, or no longer
 * @returns the list at the end
 */
export const appendToList = async <T>(
  entries: Entries,
  name: string,
  next: (list: readonly T[]) => T | undefined,
): Promise<readonly T[]> => {
  const list = [...(await readList<T>(entries, name))];
  for (;;) {
    const entry = next(list);
    if (entry === undefined) return list;
    list.push(await entries.keep(`${name}/${list.length + 1}`, entry));
  }
};

const prefix = 'sandbox_';

export const referenceOf = (id: string): string => `${prefix}${id}`;

/** @returns undefined for a reference that is none of the sandbox */
export const idOf = (reference: string): string | undefined =>
  reference.startsWith(prefix) && !reference.includes('/') ? reference.slice(prefix.length) : undefined;

export const failed = (): ApplicationError =>
  new ApplicationError('provider-failed', 'The payment provider failed.');
