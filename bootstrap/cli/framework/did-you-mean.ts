/**
 * ` Did you mean X?` with the most similar of the names, or an empty text when none is similar enough. Capitals and leading
 * hyphens do not count.
 * @param prefix stands before the name in the suggestion
 */
export const didYouMean = (written: string, names: readonly string[], prefix = ''): string => {
  const word = bare(written);
  const [best] = names
    .map((name) => ({ name, distance: editDistance(word, bare(name)) }))
    .filter(({ name, distance }) => distance <= allowedDistance(name) || isAbbreviation(word, bare(name)))
    .sort((one, other) => one.distance - other.distance);
  return best === undefined ? '' : ` Did you mean ${prefix}${best.name}?`;
};

const bare = (name: string): string => name.toLowerCase().replace(/^-+/, '');

/** So few that `restart` does not suggest to restore a backup. */
const allowedDistance = (name: string): number => Math.max(1, Math.floor(name.length / 4));

/** Whether it has the first letter and some others in their order: `ls`, `enc`. */
const isAbbreviation = (word: string, name: string): boolean => {
  if (word.length < 2 || word[0] !== name[0]) return false;
  let at = -1;
  return [...word].every((letter) => {
    at = name.indexOf(letter, at + 1);
    return at !== -1;
  });
};

/** Damerau-Levenshtein distance: insertions, deletions, substitutions and swaps of neighbouring letters. */
export const editDistance = (one: string, other: string): number => {
  let secondPrevious: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current.push(
        Math.min(
          distanceAt(previous, column) + 1,
          distanceAt(current, column - 1) + 1,
          distanceAt(previous, column - 1) + (isSame ? 0 : 1),
          isSwapped ? distanceAt(secondPrevious, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [secondPrevious, previous] = [previous, current];
  }
  return distanceAt(previous, other.length);
};

const distanceAt = (row: readonly number[], column: number): number =>
  row[column] ?? Number.POSITIVE_INFINITY;
