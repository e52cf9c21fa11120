import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly scripts: { readonly start: string };
};

/** The flags of Node in `npm start`: `exec node --flag ... bootstrap/main.mjs`. */
export const startFlags: readonly string[] = scripts.start.split(' ').filter((word) => word.startsWith('--'));
