/** The name that was most likely meant; undefined when it resembles none of them. */
const nearest = (written: string, names: readonly string[]): string | undefined => {
  const [best] = names
    .map((name) => ({ name, changes: distance(written, name) }))
    .filter(({ name, changes }) => changes <= Math.max(1, Math.floor(name.length / 3)))
    .sort((one, other) => one.changes - other.changes);
  return best?.name;
};

/** ` Did you mean it?`, or nothing. */
export const hint = (written: string, names: readonly string[]): string => {
  const meant = nearest(written, names);
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
};

/** How many letters have to be changed, put in, taken out or swapped with their neighbour. */
const distance = (one: string, other: string): number => {
  let before: readonly number[] = [];
  let above: readonly number[] = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current.push(
        Math.min(
          at(above, column) + 1,
          at(current, column - 1) + 1,
          at(above, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [before, above] = [above, current];
  }
  return at(above, other.length);
};

const at = (numbers: readonly number[], place: number): number => numbers[place] ?? Number.POSITIVE_INFINITY;
