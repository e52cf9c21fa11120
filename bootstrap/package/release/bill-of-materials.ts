import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../compile.ts';

/** What npm needs to resolve the packages of the lockfile, without a registry and without an install. */
const offline = ['--package-lock-only', '--offline', '--ignore-scripts'];

interface Parts {
  /** A new folder. Its last name becomes the name of the product. */
  readonly folder: string;
  /** Optional peers that are part of the product. */
  readonly peers: readonly string[];
}

/**
 * Lists the production packages of the lockfile with versions, licences and hashes: CycloneDX in JSON, as `npm sbom` writes it.
 * npm first removes the development packages from a copy of the lockfile. `npm sbom --omit=dev` does not serve: it omits
 * production packages that a development package uses too.
 */
export const billOfMaterials = ({ folder, peers }: Parts): string => {
  mkdirSync(folder);
  for (const file of ['package-lock.json', '.npmrc']) cpSync(join(root, file), join(folder, file));
  const clone = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { devDependencies: _development, private: _private, dependencies, peerDependencies, ...rest } = clone;
  const required = Object.fromEntries(peers.map((peer) => [peer, peerDependencies[peer]]));
  const manifest = { ...rest, dependencies: { ...dependencies, ...required }, peerDependencies };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  run(folder, 'npm', 'install', '--silent', ...offline);
  return run(folder, 'npm', 'sbom', '--sbom-format=cyclonedx', '--sbom-type=application', ...offline);
};
