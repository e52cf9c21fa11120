import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { root } from '../compile.ts';
import { packTarball } from '../tarball.ts';
import { addressesOf } from './addresses.ts';
import { billOfMaterials } from './bill-of-materials.ts';
import { contextPaths, writeImageContext } from './image-context.ts';
import { releaseNotes, sectionOf } from './notes.ts';
import type { Candidate } from './refusals.ts';

/** The image has Stripe's package, by the Dockerfile. */
const peersOfImage = ['stripe'];

/** Lists the packages of the npm package and of the image, in a file each. */
const writeBills = (version: string, folder: string): readonly [string, string] => {
  const scratch = mkdtempSync(join(tmpdir(), 'portico-release-'));
  try {
    const write = (name: string, peers: readonly string[]): string => {
      const file = `${name}-${version}.cdx.json`;
      writeFileSync(
        join(folder, file),
        `${billOfMaterials({ folder: join(scratch, name), peers }).trim()}\n`,
      );
      return file;
    };
    return [write('portico', []), write('portico-image', peersOfImage)];
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};

const checksum = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/**
 * Makes what is published: packages, the image's build context, bills of materials, notes and checksums.
 * @param folder an empty folder, or one that is created
 * @returns the names of the files
 */
export const makeFiles = ({ clone, changelog }: Candidate, folder: string): readonly string[] => {
  const { version } = clone;
  mkdirSync(folder, { recursive: true });
  const context = `portico-image-${version}.tar.gz`;
  writeImageContext(contextPaths(readFileSync(join(root, '.dockerignore'), 'utf8')), join(folder, context));
  const [ofPackage, ofImage] = writeBills(version, folder);
  const files = new Map([
    [basename(packTarball('all', folder)), 'the npm package: server, command and client'],
    [
      basename(packTarball('client', folder)),
      'the client alone, under the same name: install it from this file, publish it nowhere',
    ],
    [context, `the image: \`docker build --tag portico:${version} - < ${context}\``],
    [ofPackage, 'the npm packages that the server needs, in the versions of the tests (CycloneDX)'],
    [ofImage, 'the npm packages in the image; those of Node and Debian are not in it'],
  ]);
  const { repository } = addressesOf(clone);
  const notes = sectionOf(changelog, version)?.notes ?? '';
  writeFileSync(join(folder, 'NOTES.md'), releaseNotes(notes, { version, repository, files }));
  const names = [...files.keys()];
  const sums = names.map((file) => `${checksum(join(folder, file))}  ${file}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
  return [...names, 'NOTES.md', 'SHA256SUMS'];
};
