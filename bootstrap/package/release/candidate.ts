import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../compile.ts';
import { clientManifest, clone, fullManifest } from '../manifest.ts';
import { packagedFolders } from '../server.ts';
import type { Candidate } from './refusals.ts';

const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Runs git. @returns the lines that it prints; undefined outside a repository */
const git = (...words: readonly string[]): readonly string[] | undefined => {
  try {
    const output = execFileSync('git', words, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return output.split('\n').filter((line) => line !== '');
  } catch {
    return undefined;
  }
};

const ignored = ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory'];

/** Reads what a release of this clone would be made of. */
export const readCandidate = (): Candidate => ({
  clone,
  packages: [fullManifest, clientManifest],
  lockedVersion: JSON.parse(textOf('package-lock.json')).version,
  dockerfile: textOf('Dockerfile'),
  changelog: textOf('CHANGELOG.md'),
  status: git('status', '--porcelain'),
  ignored: git(...ignored, '--', ...packagedFolders) ?? [],
});
