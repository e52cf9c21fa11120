import { readFileSync } from 'node:fs';

/** What `npm start` starts Node with: `exec node --flag bootstrap/main.mjs`. */
const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly scripts: { readonly start: string };
};

/** What Node is told when it serves, wherever it is started. */
export const startFlags: readonly string[] = scripts.start.split(' ').filter((word) => word.startsWith('--'));
