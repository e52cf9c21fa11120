// Runs before `npm start`, `npm test` and the like, on any version of Node: installs the packages when they are missing or the
// lockfile has changed. Node 24 is one of the packages, so the script that follows runs on it.
//
//   node bootstrap/prepare.mjs [FOLDER...]   installs the packages of these folders too, such as test/generators
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);

const read = (file) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
};

const install = (folder, message) => {
  const stamp = new URL('node_modules/.portico-installed', folder);
  const wanted = createHash('sha256')
    .update(readFileSync(new URL('package-lock.json', folder)))
    .digest('hex');
  if (read(stamp) === wanted) return;
  process.stderr.write(`${message}\n`);
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    // Standard output belongs to the command that follows.
    stdio: ['inherit', 2, 2],
  });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, wanted);
};

install(root, 'Installing the packages.');
for (const name of process.argv.slice(2))
  install(new URL(`${name}/`, root), `Installing the packages of ${name}.`);
