/*
 * Which file a subpath of a package is, by the `exports` of its package.json: https://nodejs.org/api/packages.html#subpath-patterns
 */

/**
 * @param entries the `exports`
 * @param subpath of the package, as in `./store`; `.` is the package itself
 * @returns the path of the file from the folder of the package; undefined when it is not exported
 */
export const exportedTarget = (entries: unknown, subpath: string): string | undefined => {
  if (!isConditions(entries) || !Object.keys(entries).some((key) => key.startsWith('.'))) {
    return subpath === '.' ? targetOf(entries) : undefined;
  }
  if (Object.hasOwn(entries, subpath)) return targetOf(entries[subpath]);
  for (const pattern of Object.keys(entries).sort(mostSpecificFirst)) {
    const [start = '', end] = pattern.split('*');
    if (end === undefined || subpath.length < pattern.length) continue;
    if (!subpath.startsWith(start) || !subpath.endsWith(end)) continue;
    const matched = subpath.slice(start.length, subpath.length - end.length);
    // The most specific pattern alone counts, also where it exports nothing (null).
    return targetOf(entries[pattern])?.replaceAll('*', () => matched);
  }
  return undefined;
};

/** Patterns with more before their `*` come first, and of equal ones the longer. */
const mostSpecificFirst = (one: string, other: string): number =>
  other.indexOf('*') - one.indexOf('*') || other.length - one.length;

/** Conditions that hold when a module of Node is imported (https://nodejs.org/api/packages.html#conditional-exports). */
const conditions = ['node', 'import', 'module-sync', 'default'];

/** The first target whose conditions hold, in the order of the package; of alternatives in an array, the first. */
const targetOf = (entry: unknown): string | undefined => {
  if (typeof entry === 'string') return entry;
  if (Array.isArray(entry)) return firstOf(entry);
  if (!isConditions(entry)) return undefined;
  return firstOf(Object.keys(entry).flatMap((key) => (conditions.includes(key) ? [entry[key]] : [])));
};

const firstOf = (alternatives: readonly unknown[]): string | undefined => {
  for (const alternative of alternatives) {
    const target = targetOf(alternative);
    if (target !== undefined) return target;
  }
  return undefined;
};

const isConditions = (entry: unknown): entry is Readonly<Record<string, unknown>> =>
  typeof entry === 'object' && entry !== null && !Array.isArray(entry);
