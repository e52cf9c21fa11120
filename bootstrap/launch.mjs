// Starts the command line on any version of Node. One older than 24 starts the Node 24 in node_modules, with its own standard streams
// and flags, passes signals on to it, and ends with its exit code.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { constants } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail, failAsTooOld, isNodeSupported } from './process/node-version.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
// As a dependency Portico lies among the other packages. A clone has a folder of packages of its own.
const isDependency = basename(dirname(root)) === 'node_modules';
const packages = isDependency ? dirname(root) : join(root, 'node_modules');
const node24 = join(packages, 'node', 'bin', 'node');

const runWithNode24 = () => {
  // The IPC channel closes when this process ends, even by SIGKILL; the other process then shuts down.
  const child = spawn(node24, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', ({ message }) => fail(`Node 24 could not be started: ${message}`));
  child.on('exit', (code, signal) => process.exit(signal === null ? code : 128 + constants.signals[signal]));
};

const runHere = async (words) => {
  // Only the user that installed the packages can write to this folder. A process of another user compiles at every start.
  module.enableCompileCache(join(packages, '.cache', 'compiled'));
  const { main } = await import('./cli/main.ts');
  await main(words);
};

/**
 * Runs the command line, in this process or on the Node 24 in node_modules.
 * @param words the command and its arguments
 */
export const launch = (words) => {
  // Node prints a warning when both are set. NO_COLOR wins.
  if (process.env.NO_COLOR) delete process.env.FORCE_COLOR;
  else delete process.env.NO_COLOR;
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  if (process.channel) process.channel.unref();

  if (!existsSync(packages)) return fail(`The packages are not installed. Run npm ci in ${root}.`);
  if (isNodeSupported()) return runHere(words);
  if (existsSync(node24)) return runWithNode24();
  const remedy = `Install it, or run node bootstrap/prepare.mjs in ${root}, which installs it beside the other packages.`;
  return failAsTooOld(isDependency ? 'Install it.' : remedy);
};
