/** Lets tasks run one after the other, in the order in which they asked. */
export type Turns = <T>(task: () => Promise<T>) => Promise<T>;

export const turns = (): Turns => {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const turn = last.then(task);
    last = turn.catch(() => undefined);
    return turn;
  };
};
