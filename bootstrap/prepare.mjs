// Runs before `npm start`, `npm test` and the like, on any version of Node: installs the packages when some are missing or of
// another version than the lockfile names. Node 24 is one of the packages, so the script that follows runs on it.
//
//   node bootstrap/prepare.mjs [FOLDER...]   installs the packages of these folders too, such as test/generators
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail } from './process/node-version.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const node24 = join(root, 'node_modules', 'node', 'bin', 'node');

/** All packages, whatever the settings of the user are: NODE_ENV=production omits Node 24, which is a development package. */
const complete = ['dev', 'optional', 'peer'].map((kind) => `--include=${kind}`);
/** The Node that installs them may be older than the packages want. */
const flags = [
  ...complete,
  '--engine-strict=false',
  '--legacy-peer-deps=false',
  '--bin-links=true',
  '--dry-run=false',
];

const read = (file) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
};

const isWritable = (folder) => {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

/** How often the progress of an installation is shown, in milliseconds. */
const progressMs = 5000;

/** The folders of all packages of the lockfile that every machine gets. */
const foldersOf = (folder, lockfile) =>
  Object.entries(JSON.parse(lockfile).packages)
    .filter(([path, { optional, devOptional }]) => path !== '' && !optional && !devOptional)
    .map(([path]) => join(folder, path));

const isThere = (packageFolder) => existsSync(join(packageFolder, 'package.json'));

/** @returns whether every package of the lockfile is there: `npm install --omit=dev` removes some and keeps the stamp */
const hasAll = (folder, lockfile) => foldersOf(folder, lockfile).every(isThere);

/** The packages of a lockfile. An npm that was cut off may have written none, or a part of it. */
const listedIn = (lockfile) => {
  try {
    return JSON.parse(readFileSync(lockfile, 'utf8')).packages ?? {};
  } catch {
    return {};
  }
};

/** @returns whether `npm install` has installed what the lockfile names. npm lists that in a lockfile of its own in node_modules */
const hasVersions = (folder, lockfile) => {
  const installed = listedIn(join(folder, 'node_modules', '.package-lock.json'));
  return Object.entries(JSON.parse(lockfile).packages).every(
    ([path, { version, integrity, optional, devOptional }]) =>
      path === '' ||
      optional ||
      devOptional ||
      (installed[path]?.version === version && installed[path].integrity === integrity),
  );
};

/** npm cannot work without a cache that it can write to. A home directory may be missing or read-only. */
const hasCache = () => {
  try {
    const cache = process.env.npm_config_cache || join(homedir(), '.npm');
    mkdirSync(cache, { recursive: true });
    return isWritable(cache);
  } catch {
    return false;
  }
};

/** Shows how far npm is, which itself prints nothing for minutes. @returns ends it */
const showProgress = (folders) => {
  const startedAt = Date.now();
  const timer = setInterval(() => {
    const count = folders.filter(isThere).length;
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    const rest = count < folders.length ? '' : ' npm now runs their install scripts.';
    process.stderr.write(`  ${count} of ${folders.length} packages after ${seconds} s.${rest}\n`);
  }, progressMs);
  return () => clearInterval(timer);
};

/** @returns a promise of what went wrong; of undefined when nothing did */
const runNpm = (folder, args, folders) =>
  new Promise((resolve) => {
    const endProgress = showProgress(folders);
    const end = (problem) => {
      endProgress();
      resolve(problem);
    };
    const npm = spawn('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...args], {
      cwd: folder,
      // Standard output belongs to the command that follows.
      stdio: ['inherit', 2, 2],
    });
    npm.on('error', ({ code }) => end(`npm could not be started (${code}). Install npm`));
    npm.on('exit', (status, signal) => {
      if (signal) end(`npm was ended by ${signal}. Start again`);
      else end(status === 0 ? undefined : 'npm says above why. Fix that, and start again');
    });
  });

const install = async (folder, message) => {
  const stamp = join(folder, 'node_modules', '.portico-installed');
  const lockfile = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  const wanted = createHash('sha256').update(lockfile).digest('hex');
  const isComplete = () => hasAll(folder, lockfile) && (folder !== root || existsSync(node24));
  if ((read(stamp) === wanted || hasVersions(folder, lockfile)) && isComplete()) return;
  if (!isWritable(folder)) {
    fail(
      `The packages are not installed, and this user cannot write to ${folder}. Run node bootstrap/prepare.mjs as its owner.`,
    );
  }
  process.stderr.write(`${message}\n`);
  // A start that is cut off must not keep the stamp of an earlier one.
  rmSync(stamp, { force: true });
  const cache = hasCache() ? undefined : mkdtempSync(join(tmpdir(), 'portico-npm-'));
  const args = [
    ...flags,
    // Node 24 comes by a script of its package. Packages of other folders need none.
    `--ignore-scripts=${folder !== root}`,
    ...(cache === undefined ? [] : [`--cache=${cache}`]),
  ];
  const problem = await runNpm(folder, args, foldersOf(folder, lockfile));
  if (problem !== undefined) fail(`The packages could not be installed: ${problem}.`);
  // After an error it stays: npm has named the log in it.
  if (cache !== undefined) rmSync(cache, { recursive: true, force: true });
  if (!isComplete()) fail('npm ci has omitted packages. Look for omit in the output of npm config list.');
  writeFileSync(stamp, wanted);
};

const installAll = async () => {
  await install(root, 'Installing the packages.');
  for (const name of process.argv.slice(2))
    await install(join(root, name), `Installing the packages of ${name}.`);
};

installAll();
