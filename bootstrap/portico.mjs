#!/usr/bin/env -S node --max-semi-space-size=16 --heap-growing-percent=40 --no-allocation-site-pretenuring
// The command `portico`, on whatever Node is there. Where that is too old, it hands over to the one that is among the
// packages: with its standard streams, its signals and its exit code.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const packages = join(root, 'node_modules');
const ownNode = join(packages, 'node', 'bin', 'node');

const handOver = () => {
  // The channel tells the other one when this one is gone, however it went.
  const child = spawn(ownNode, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', ({ message }) => fail(`Node 24 could not be run: ${message}`));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
};

const fail = (line) => {
  process.stderr.write(`portico: ${line}\n`);
  process.exit(1);
};

// Node warns of having both, wherever it looks at them.
if (process.env.NO_COLOR) delete process.env.FORCE_COLOR;
else delete process.env.NO_COLOR;

process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();

if (!existsSync(packages)) fail(`The packages are missing; run npm ci in ${root}.`);
else if (Number.parseInt(process.versions.node, 10) >= 24) {
  module.enableCompileCache(join(packages, '.cache', 'compiled'));
  await (await import('./cli/main.ts')).main(process.argv.slice(2));
} else if (existsSync(ownNode)) handOver();
else fail(`Node 24 or newer is needed, not ${process.versions.node}; npm ci in ${root} installs one.`);
