import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './compile.ts';
import { type AddressFields, addressesOf, fieldsOf } from './release/addresses.ts';

/** What package.json of the clone has. It is private, so that `npm publish` in a clone publishes nothing. */
export interface Manifest extends AddressFields {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly license: string;
  readonly private: boolean;
  readonly bin: object;
  readonly engines: object;
  readonly exports: Readonly<Record<string, string>>;
  readonly dependencies: object;
  readonly peerDependencies: object;
  readonly peerDependenciesMeta: object;
}

export const clone: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const builtFrom = (path: string) => ({
  types: path.replace(/\.ts$/, '.d.ts'),
  default: path.replace(/\.ts$/, '.js'),
});

const clientEntry = builtFrom('./client/index.ts');

/** The sources of the entries that are built with the server. */
export const serverEntries: readonly string[] = Object.entries(clone.exports)
  .filter(([entry]) => entry !== './client')
  .map(([, source]) => source);

const { name, version, license, keywords } = clone;
const addresses = fieldsOf(addressesOf(clone));

/** The package.json of the client alone. */
export const clientManifest = {
  ...{ name, version },
  description: 'A typed client of Portico, whose calls are safe to repeat.',
  ...{ keywords, ...addresses, license, type: 'module', sideEffects: false },
  exports: { './client': clientEntry },
  engines: { node: '>=20.3' },
};

/**
 * The package.json of everything. Imports such as `#domain/order.ts` keep their names and lead to built files. The optional
 * peers are those of the clone.
 */
export const fullManifest = {
  ...{ name, version, description: clone.description, keywords, ...addresses, license, type: 'module' },
  imports: Object.fromEntries(
    ['domain', 'application', 'adapters', 'bootstrap'].map((folder) => [
      `#${folder}/*.ts`,
      builtFrom(`./${folder}/*.ts`),
    ]),
  ),
  exports: {
    ...Object.fromEntries(Object.entries(clone.exports).map(([entry, source]) => [entry, builtFrom(source)])),
    './client': clientEntry,
  },
  ...{ bin: clone.bin, engines: clone.engines, dependencies: clone.dependencies },
  ...{ peerDependencies: clone.peerDependencies, peerDependenciesMeta: clone.peerDependenciesMeta },
};
