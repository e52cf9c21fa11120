/**
 * Lets tasks run one after the other, in the order in which they asked. Those that follow each other and may share a turn
 * run side by side.
 */
export type Turns = <T>(task: () => Promise<T>, mayShare?: boolean) => Promise<T>;

export const turns = (): Turns => {
  let last: Promise<unknown> = Promise.resolve();
  let beforeShared: Promise<unknown> | undefined;
  return (task, mayShare = false) => {
    const before = (mayShare ? beforeShared : undefined) ?? last;
    const isOthers = before !== last;
    const turn = before.then(task);
    const over = turn.catch(() => undefined);
    last = isOthers ? Promise.all([last, over]) : over;
    beforeShared = mayShare ? before : undefined;
    return turn;
  };
};
