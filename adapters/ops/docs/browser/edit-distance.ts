/**
 * Counts the letters to add, remove, replace or swap until a text is each beginning of another one (Damerau and Levenshtein,
 * "optimal string alignment"). The search of the docs and the suggestions of the command line use it.
 * @param most of more it is enough to know that they are
 * @returns the count for each length of a beginning, from 0
 */
export const editCounts = (
  text: string,
  other: string,
  most = Number.POSITIVE_INFINITY,
): readonly number[] => {
  const at = (counts: readonly number[], column: number) => counts[column] ?? Number.POSITIVE_INFINITY;
  let before: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= text.length && Math.min(...last) <= most; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = text[row - 1] === other[column - 1];
      const isSwapped = row > 1 && text[row - 1] === other[column - 2] && text[row - 2] === other[column - 1];
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, last] = [last, current];
  }
  return last;
};

/** How many letters have to change until one text is the other. */
export const editDistance = (one: string, other: string): number =>
  editCounts(one, other).at(-1) ?? one.length;
