/** A clock that stands still until time is let pass. */
export const simulatedClock = () => {
  let time = Date.UTC(2026, 0, 1, 12);
  return {
    /** In milliseconds since 1970. */
    now: (): number => time,
    pass: async (milliseconds: number): Promise<void> => {
      time += milliseconds;
    },
  };
};
