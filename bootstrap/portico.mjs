#!/usr/bin/env -S node --max-semi-space-size=16 --heap-growing-percent=40 --no-allocation-site-pretenuring
// The command `portico`. It runs on any Node: one older than 24 starts the Node 24 in node_modules, with its own standard streams
// and flags, passes signals on to it, and ends with its exit code.
// When you start a server as `node bootstrap/portico.mjs start`, pass the flags of the first line too.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { constants } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
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
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
};

const fail = (line) => {
  process.stderr.write(`portico: ${line}\n`);
  process.exit(1);
};

// Node prints a warning when both are set. NO_COLOR wins.
if (process.env.NO_COLOR) delete process.env.FORCE_COLOR;
else delete process.env.NO_COLOR;

process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();

if (!existsSync(packages)) fail(`The packages are not installed. Run npm ci in ${root}.`);
else if (Number.parseInt(process.versions.node, 10) >= 24) {
  module.enableCompileCache(join(packages, '.cache', 'compiled'));
  await (await import('./cli/main.ts')).main(process.argv.slice(2));
} else if (existsSync(node24)) runWithNode24();
else {
  const remedy = isDependency ? 'Install it.' : `Run npm ci in ${root}, which installs it.`;
  fail(`Node 24 or newer is required, not ${process.versions.node}. ${remedy}`);
}
