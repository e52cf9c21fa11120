import { editDistance } from '#adapters/ops/docs/browser/edit-distance.ts';

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
