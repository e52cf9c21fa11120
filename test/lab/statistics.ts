/** The middle one, or between the two in the middle; not a number when there are none. */
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  const [below = Number.NaN, above = Number.NaN] = [
    sorted[Math.ceil(middle) - 1],
    sorted[Math.floor(middle)],
  ];
  return (below + above) / 2;
};

export const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
