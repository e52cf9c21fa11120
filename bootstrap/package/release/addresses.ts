import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../compile.ts';

/** Where the project lives, and who reads reports. `package.json` has both; the other papers repeat them. */
export interface Addresses {
  /** The page of the repository: an https URL without `.git`. */
  readonly repository: string;
  /** The e-mail address for reports of security holes and of conduct. */
  readonly reports: string;
}

/** The fields of a package.json that hold the addresses. */
export interface AddressFields {
  readonly homepage: string;
  readonly repository: { readonly type: string; readonly url: string };
  readonly bugs: { readonly url: string; readonly email: string };
}

/** The fields that npm and registries read. */
export const fieldsOf = ({ repository, reports }: Addresses): AddressFields => ({
  homepage: `${repository}#readme`,
  repository: { type: 'git', url: `git+${repository}.git` },
  bugs: { url: `${repository}/issues`, email: reports },
});

export const addressesOf = ({ repository, bugs }: AddressFields): Addresses => ({
  repository: repository.url.replace(/^git\+/, '').replace(/\.git$/, ''),
  reports: bugs.email,
});

const repositoryForm = /^https:\/\/[\w.-]+(?:\/[\w.-]+)+(?<!\.git)$/;
const emailForm = /^[^\s@<>"]+@[\w-]+(?:\.[\w-]+)+$/;

/** @throws RangeError which states the form that an address must have */
export const checkedAddresses = (repository: string, reports: string): Addresses => {
  if (!repositoryForm.test(repository))
    throw new RangeError(
      `"${repository}" must be the https address of the repository's page, such as https://host.example/owner/portico, without .git.`,
    );
  if (!emailForm.test(reports))
    throw new RangeError(`"${reports}" must be an e-mail address, such as security@host.example.`);
  return { repository, reports };
};

/** The names that RFC 2606 reserves: no host has them. */
const reserved = /(?:^|[.@])(?:example(?:\.(?:com|net|org))?|invalid|test|localhost)$/;

const hostOf = ({ repository }: Addresses): string => new URL(repository).hostname;

/** The addresses that are still placeholders. */
export const placeholdersIn = (addresses: Addresses): readonly string[] => [
  ...(reserved.test(hostOf(addresses)) ? [addresses.repository] : []),
  ...(reserved.test(addresses.reports) ? [addresses.reports] : []),
];

/** Every file that may repeat the addresses, from the root of the repository. */
export const papers = (): readonly string[] =>
  globSync(
    [
      '*.md',
      'docs/*.md',
      'docs/operations/*.md',
      'package.json',
      'Dockerfile',
      '.github/**/*.*',
      'docs/deploy/prometheus-alerts.yaml',
    ],
    { cwd: root },
  );

/** A paper that names other addresses in place of the former ones. */
export const withAddresses = (text: string, former: Addresses, { repository, reports }: Addresses): string =>
  text.replaceAll(former.repository, () => repository).replaceAll(former.reports, () => reports);

/** The addresses in package.json. */
export const currentAddresses = (): Addresses =>
  addressesOf(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
