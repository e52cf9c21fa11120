import { ApplicationError } from '#application/errors.ts';

/** The texts of the sandbox by id, shared by all processes. */
export interface SandboxLedger {
  find(id: string): Promise<string | undefined>;
  /** Stores a text unless there is one already. @returns the stored text */
  keep(id: string, text: string): Promise<string>;
}

/** The ledger with values in JSON. The first value of an id is final, for every process and after every restart. */
export interface Book {
  find<T>(id: string): Promise<T | undefined>;
  /** Stores a value unless there is one already. @returns the stored value */
  keep<T>(id: string, value: T): Promise<T>;
}

/** An unavailable ledger is a failure of the provider: the outcome is unknown. */
export const bookOf = (ledger: SandboxLedger): Book => ({
  find: async (id) => {
    const text = await ledger.find(id).catch(rethrow);
    return text === undefined ? undefined : JSON.parse(text);
  },
  keep: async (id, value) => JSON.parse(await ledger.keep(id, JSON.stringify(value)).catch(rethrow)),
});

export const providerFailed = (cause?: unknown): ApplicationError =>
  new ApplicationError('provider-failed', 'The payment provider failed.', cause);

const rethrow = (error: unknown): never => {
  throw error instanceof ApplicationError && error.kind === 'unavailable' ? providerFailed(error) : error;
};
