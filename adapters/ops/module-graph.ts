import { posix } from 'node:path';

/** An import that is evaluated with its module. One on demand, `import('./a.ts')`, is none. */
const statement = /\b(?:import|export)\b(?:[^'"();]*?\bfrom)?\s*(["'])(\.{0,2}\/[^"']+)\1/g;

/**
 * Lists the modules that a browser loads for some: these, what they import, and what that imports, in the order in which a browser
 * comes upon them.
 * @param textOf returns a module by its path; undefined for none
 */
export const moduleGraph = (
  entries: readonly string[],
  textOf: (path: string) => string | undefined,
): readonly string[] => {
  const found = new Set(entries);
  // What is added meanwhile is iterated over, too.
  for (const path of found) {
    const text = textOf(path) ?? '';
    for (const [, , name = ''] of text.matchAll(statement)) {
      const imported = posix.join(posix.dirname(path), name);
      const target = name.startsWith('/') ? name : imported;
      if (textOf(target) !== undefined) found.add(target);
    }
  }
  return [...found];
};
