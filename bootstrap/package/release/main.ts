// Makes a release: checks what it can without a registry, runs all tests, and writes into a folder what is published.
//
//   npm run release [-- --out FOLDER]      the folder must be empty or missing; dist/release-VERSION by default
//   npm run release -- --without-tests     for a commit that .ci/run has passed
//   npm run release -- --rehearse          without tests, and with placeholders, changes and a version without its day
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../compile.ts';
import { readCandidate } from './candidate.ts';
import { makeFiles } from './files.ts';
import { refusalsOf } from './refusals.ts';

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    rehearse: { type: 'boolean', default: false },
    'without-tests': { type: 'boolean', default: false },
  },
});
const candidate = readCandidate();
const { version } = candidate.clone;
const folder = resolve(values.out ?? join(root, `dist/release-${version}`));

/** @returns whether the release can go on */
const check = (): boolean => {
  const refusals = refusalsOf(candidate);
  const fatal = refusals.filter(({ isForRelease }) => !(isForRelease && values.rehearse));
  for (const refusal of refusals)
    process.stderr.write(
      `release: ${fatal.includes(refusal) ? '' : 'rehearsed in spite of: '}${refusal.reason}\n`,
    );
  const isFull = existsSync(folder) && readdirSync(folder).length > 0;
  if (isFull)
    process.stderr.write(`release: ${folder} is not empty. Remove it, or name another folder with --out.\n`);
  return fatal.length === 0 && !isFull;
};

/** Runs all tests and checks. @returns whether they have passed */
const test = (): boolean => {
  const { status } = spawnSync('bash', ['.ci/run'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.stderr.write('release: the tests have failed. Nothing was made.\n');
  return status === 0;
};

const isTested = !values.rehearse && !values['without-tests'];
if (check() && (!isTested || test())) {
  for (const file of makeFiles(candidate, folder)) process.stdout.write(`${join(folder, file)}\n`);
  if (!values.rehearse)
    process.stdout.write(`
${isTested ? 'All tests have passed.' : 'No test was run.'} Publish it:

  git tag v${version} && git push origin v${version}
  npm publish ${join(folder, `portico-${version}.tgz`)}
  docker build --tag portico:${version} - < ${join(folder, `portico-image-${version}.tar.gz`)}
`);
} else process.exitCode = 1;
