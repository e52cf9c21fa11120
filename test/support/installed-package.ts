import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

export const root = join(import.meta.dirname, '../..');

const run = promisify(execFile);

/** Commands that npm links for a project. */
const commands = { tsc: 'typescript/bin/tsc', portico: 'portico/bootstrap/portico.mjs' };

/** Builds the package. @returns the path of its tarball in the folder, which is created */
export const buildPackage = async (folder: string): Promise<string> => {
  const { stdout } = await run(process.execPath, [join(root, 'bootstrap/package/pack.ts'), folder]);
  return stdout.trim();
};

/**
 * Installs the package as npm does, without a network: what it depends on is linked from the clone.
 * @param tarball of the package
 * @param folder of the project; it is created
 */
export const installPackage = async (tarball: string, folder: string): Promise<void> => {
  const modules = join(folder, 'node_modules');
  const link = async (target: string, path: string) => {
    await mkdir(dirname(path), { recursive: true });
    await symlink(target, path);
  };
  await mkdir(join(modules, 'portico'), { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', join(modules, 'portico'), '--strip-components=1']);
  const { dependencies } = JSON.parse(await readFile(join(modules, 'portico/package.json'), 'utf8'));
  for (const name of [...Object.keys(dependencies), 'typescript', '@types/node'])
    await link(join(root, 'node_modules', name), join(modules, name));
  for (const [name, file] of Object.entries(commands))
    await link(relative(join(modules, '.bin'), join(modules, file)), join(modules, '.bin', name));
  await chmod(join(modules, commands.portico), 0o755);
};
