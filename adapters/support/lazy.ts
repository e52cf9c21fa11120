/** Reads when it is first asked, and once: whoever comes later shares it. What failed is tried again. */
export const remembered = <T>(read: () => Promise<T>): (() => Promise<T>) => {
  let known: Promise<T> | undefined;
  return () => {
    if (known !== undefined) return known;
    const reading = read();
    known = reading;
    reading.catch(() => {
      known = undefined;
    });
    return reading;
  };
};
