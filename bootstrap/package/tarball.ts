import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildClient } from './client.ts';
import { root, run } from './compile.ts';
import { clientManifest, fullManifest, serverEntries } from './manifest.ts';
import { buildServer } from './server.ts';

/** The server with its entries, the command `portico` and the client, or the client alone. */
export type Part = 'all' | 'client';

const contents = {
  all: {
    manifest: fullManifest,
    readme: 'README.md',
    // The docs page shows the changelog.
    papers: ['LICENSE', 'CHANGELOG.md', 'SECURITY.md', 'SUPPORT.md'],
  },
  client: { manifest: clientManifest, readme: 'docs/client.md', papers: ['LICENSE'] },
} as const;

/**
 * Builds an npm package.
 * @param destination a folder, which is created
 * @returns the path of its tarball
 */
export const packTarball = (part: Part, destination: string): string => {
  const { manifest, readme, papers } = contents[part];
  const scratch = mkdtempSync(join(tmpdir(), 'portico-package-'));
  try {
    const output = join(scratch, 'package');
    mkdirSync(output);
    buildClient(join(scratch, 'client'), join(output, 'client'));
    if (part === 'all') buildServer(serverEntries, output);
    writeFileSync(join(output, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    cpSync(join(root, readme), join(output, 'README.md'));
    for (const paper of papers) cpSync(join(root, paper), join(output, paper));
    mkdirSync(destination, { recursive: true });
    const packed = run(output, 'npm', 'pack', '--silent', '--pack-destination', scratch).trim();
    // Both are the package `portico`, so that imports are the same, and each has a file of its own.
    const tarball = part === 'client' ? packed.replace(/^portico-/, 'portico-client-') : packed;
    cpSync(join(scratch, packed), join(resolve(destination), tarball));
    return join(destination, tarball);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};
