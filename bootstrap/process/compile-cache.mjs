import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keepResolved } from './resolution-cache.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * Keeps what has been compiled, and where it was found, for the next start, which takes half as long with it. It is kept beside
 * the packages, where only whoever installed them can write; where that is somebody else, every start begins anew. An older
 * Node keeps nothing.
 */
export const keepCompiled = () => {
  const folder = process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'compiled');
  const { directory } = module.enableCompileCache?.(folder) ?? {};
  if (directory !== undefined) keepResolved(root, folder);
};
