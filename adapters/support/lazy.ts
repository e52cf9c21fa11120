/**
 * Runs an asynchronous function once, at the first call, and shares its result. A rejection is not kept: the next call runs it
 * again.
 */
export const memoizeAsync = <T>(run: () => Promise<T>): (() => Promise<T>) => {
  let result: Promise<T> | undefined;
  return () => {
    if (result !== undefined) return result;
    const running = run();
    result = running;
    running.catch(() => {
      result = undefined;
    });
    return running;
  };
};
