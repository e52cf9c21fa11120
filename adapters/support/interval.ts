/**
 * Does something now, and again some time after it has been done. What fails is tried the next time.
 * @param interval in milliseconds
 * @returns what ends it
 */
export const repeatedly = (interval: number, act: () => Promise<void>): (() => void) => {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const turn = async (): Promise<void> => {
    await act().catch(() => undefined);
    if (!isOver) timer = setTimeout(turn, interval).unref();
  };
  void turn();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
};
