// Runs before `npm start`, `npm test` and the like, on whatever Node is there: installs the packages when they are missing or
// have changed, and joins those of many modules. Node itself is one of them, so what runs afterwards runs on the version that
// Portico is made for.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { joinPackages } from './process/joined-packages.mjs';

const root = new URL('../', import.meta.url);
const stamp = new URL('node_modules/.portico-installed', root);

const read = (file) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
};

const wanted = createHash('sha256')
  .update(readFileSync(new URL('package-lock.json', root)))
  .digest('hex');

if (read(stamp) !== wanted) {
  process.stderr.write('Installing packages, this once.\n');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    // Standard output is for what a command has to say.
    stdio: ['inherit', 2, 2],
  });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, wanted);
}

await joinPackages(fileURLToPath(root));
