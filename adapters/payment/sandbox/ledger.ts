import { ApplicationError } from '#application/errors.ts';

/** The ledger of the sandbox, shared by all processes. The first value that is kept under a key stands for ever. */
export interface SandboxLedger {
  find(key: string): Promise<string | undefined>;
  /** Stores a value unless there is one already. @returns the stored value */
  keep(key: string, value: string): Promise<string>;
}

/** The ledger with values in place of texts. Each rejects with 'provider-failed' while the ledger is unavailable. */
export interface Entries {
  find<T>(key: string): Promise<T | undefined>;
  keep<T>(key: string, value: T): Promise<T>;
}

export const entriesOf = (ledger: SandboxLedger): Entries => ({
  find: async (key) => {
    const text = await ledger.find(key).catch(rethrow);
    return text === undefined ? undefined : JSON.parse(text);
  },
  keep: async (key, value) => JSON.parse(await ledger.keep(key, JSON.stringify(value)).catch(rethrow)),
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

export const failed = (cause?: unknown): ApplicationError =>
  new ApplicationError('provider-failed', 'The payment provider failed.', cause);

/** An unavailable ledger is a failure of the provider: the outcome of the call is unknown. */
const rethrow = (error: unknown): never => {
  throw error instanceof ApplicationError && error.kind === 'unavailable' ? failed(error) : error;
};
