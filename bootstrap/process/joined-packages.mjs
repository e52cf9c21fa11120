import { randomUUID } from 'node:crypto';
import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Those that Portico's own modules ask for, of all that are joined. */
const names = [
  '@mikro-orm/core',
  '@mikro-orm/migrations',
  '@mikro-orm/postgresql',
  '@mikro-orm/sqlite',
  'inversify',
];

/** They and what they are made of. What others have a part in as well, as reflect-metadata and the drivers, stays apart. */
const isJoined = /^(@mikro-orm\/|@inversifyjs\/|inversify$|kysely($|\/))/;

/**
 * Joins six hundred and seventy modules into a dozen: a start takes longer to find and to link so many than to run what is in
 * them. It is done where they are installed, for what is installed there now, and each of them is there once, as before.
 * @param {string} root the folder of the project and of its packages
 */
export const joinPackages = async (root) => {
  const folder = folderOf(root);
  if (folder === undefined || existsSync(folder)) return;
  const unfinished = `${folder}.${randomUUID()}`;
  try {
    const esbuild = await import('esbuild');
    await esbuild.build({
      absWorkingDir: root,
      entryPoints: Object.fromEntries(names.map((name) => [name, name])),
      outdir: unfinished,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node24',
      // An error is told by the name of its class.
      keepNames: true,
      // What Node reads and checks at every start is half comments.
      minifyWhitespace: true,
      minifySyntax: true,
      logLevel: 'error',
      plugins: [{ name: 'others stay apart', setup: leaveOthers }],
    });
    // In one step, for others may be starting.
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Unless somebody else was faster, or esbuild is not there, which is for development: then a start takes longer.
    const isExpected = existsSync(folder) || error.code === 'ERR_MODULE_NOT_FOUND';
    if (!isExpected) process.stderr.write(`The packages were not joined: ${error.message}\n`);
  }
};

const leaveOthers = ({ onResolve }) => {
  onResolve({ filter: /^[^./]/ }, ({ path }) => (isJoined.test(path) ? undefined : { external: true }));
};

/** @returns where those packages are, by their names; none where they were not joined */
export const joinedIn = (root) => {
  const folder = folderOf(root);
  return folder !== undefined && existsSync(folder)
    ? Object.fromEntries(names.map((name) => [name, join(folder, `${name}.mjs`)]))
    : {};
};

/** npm writes a file whenever it installs something. */
const folderOf = (root) => {
  const { mtimeMs } =
    statSync(join(root, 'node_modules', '.package-lock.json'), { throwIfNoEntry: false }) ?? {};
  return mtimeMs && join(root, 'node_modules', '.joined', `${mtimeMs}`);
};
