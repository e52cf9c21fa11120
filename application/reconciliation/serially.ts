/** Runs tasks of one name one after the other, and those of different names side by side. */
export const serially = () => {
  const last = new Map<string, Promise<unknown>>();
  return async <T>(name: string, task: () => Promise<T>): Promise<T> => {
    const before = last.get(name) ?? Promise.resolve();
    const current = before.then(task, task);
    last.set(name, current);
    try {
      return await current;
    } finally {
      if (last.get(name) === current) last.delete(name);
    }
  };
};
