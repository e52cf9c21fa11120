import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

export const root = join(import.meta.dirname, '../..');

const run = promisify(execFile);

/** Commands that npm links for a project. */
const commands = { tsc: 'typescript/bin/tsc', portico: 'portico/bootstrap/portico.mjs' };

/**
 * Builds the package, and installs its tarball as npm does, without a network: what it depends on is linked from the clone.
 * @param folder of the project; it is created
 */
export const installPackage = async (folder: string): Promise<void> => {
  const modules = join(folder, 'node_modules');
  const link = async (target: string, path: string) => {
    await mkdir(dirname(path), { recursive: true });
    await symlink(target, path);
  };
  await mkdir(join(modules, 'portico'), { recursive: true });
  const { stdout } = await run(process.execPath, [join(root, 'bootstrap/package/pack.ts'), folder]);
  await run('tar', ['-xzf', stdout.trim(), '-C', join(modules, 'portico'), '--strip-components=1']);
  const { dependencies } = JSON.parse(await readFile(join(modules, 'portico/package.json'), 'utf8'));
  for (const name of [...Object.keys(dependencies), 'typescript', '@types/node'])
    await link(join(root, 'node_modules', name), join(modules, name));
  for (const [name, file] of Object.entries(commands))
    await link(relative(join(modules, '.bin'), join(modules, file)), join(modules, '.bin', name));
  await chmod(join(modules, commands.portico), 0o755);
};
