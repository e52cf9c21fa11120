import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { Program, root } from '../lab/program.ts';
import { folderOfRun } from './test-run.ts';
import { until } from './until.ts';

const run = promisify(execFile);

/** Commands that npm links for a project. */
const commands = { tsc: 'typescript/bin/tsc', portico: 'portico/bootstrap/portico.mjs' };

/** How long other files wait for the one that builds, in milliseconds. */
const buildTimeoutMs = 180_000;

/**
 * The package of this clone, which the first file of a run that needs it builds for all.
 * @param part `client` for the client alone
 * @returns the path of its tarball
 */
export const builtPackage = async (part: 'all' | 'client' = 'all'): Promise<string> => {
  const folder = join(folderOfRun(), part);
  const built = join(folder, 'built');
  const isFirst = await mkdir(folder).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    const words = [...(part === 'client' ? ['--client'] : []), folder];
    const building = new Program('bootstrap/package/pack.ts', {
      environment: process.env,
      words,
      folder: root,
    });
    // The others fail with the same error instead of waiting for nothing.
    const outcome = await building.succeeded().then(
      (output) => ({ tarball: output.trim() }),
      ({ message }: Error) => ({ error: message }),
    );
    await writeFile(`${built}.unfinished`, JSON.stringify(outcome));
    await rename(`${built}.unfinished`, built);
  }
  const text = await until(
    () => readFile(built, 'utf8').catch(() => ''),
    (outcome) => outcome !== '',
    buildTimeoutMs,
  );
  const { tarball, error } = JSON.parse(text);
  if (error !== undefined) throw new Error(error);
  return tarball;
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
