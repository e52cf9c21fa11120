const callbacks = new Set<() => Promise<void>>();

/** Calls it once after all tests of this process, where one process runs them all. */
export const atEndOfRun = (callback: () => Promise<void>): void => {
  callbacks.add(callback);
};

export const endRun = async (): Promise<void> => {
  await Promise.all([...callbacks].map((callback) => callback()));
};
