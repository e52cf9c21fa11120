import type { Manifest } from '../manifest.ts';
import { addressesOf, placeholdersIn } from './addresses.ts';
import { sectionOf } from './notes.ts';

/** What a release is made of. */
export interface Candidate {
  readonly clone: Manifest;
  /** What is published. */
  readonly packages: readonly object[];
  /** The version in package-lock.json. */
  readonly lockedVersion: string;
  readonly dockerfile: string;
  readonly changelog: string;
  /** Lines of `git status --porcelain`; undefined outside a repository. */
  readonly status: readonly string[] | undefined;
  /** Files that git ignores in folders that are packaged, such as a `.env`. */
  readonly ignored: readonly string[];
}

/** Why no release can be made. */
export interface Refusal {
  readonly reason: string;
  /** Whether a rehearsal goes on nevertheless: it must be right only once the release is published. */
  readonly isForRelease: boolean;
}

/** Reasons that a rehearsal accepts. */
const beforePublication = ({ clone, changelog, status, ignored }: Candidate): readonly string[] => {
  const reasons: string[] = [];
  if (status === undefined) reasons.push('This folder is no git repository.');
  else if (status.length > 0)
    reasons.push(
      `The working tree has ${status.length} changes that are not committed, such as "${status[0]}".`,
    );
  if (ignored.length > 0)
    reasons.push(`Remove what git ignores but the package would have: ${ignored.join(', ')}.`);
  const placeholders = placeholdersIn(addressesOf(clone));
  if (placeholders.length > 0)
    reasons.push(
      `package.json has placeholders (${placeholders.join(', ')}). Fill them in everywhere: npm run addresses -- REPOSITORY EMAIL`,
    );
  const section = sectionOf(changelog, clone.version);
  if (section !== undefined && section.date === undefined)
    reasons.push(`CHANGELOG.md has no day for ${clone.version}. Write "## ${clone.version} (YYYY-MM-DD)".`);
  return reasons;
};

const always = (candidate: Candidate): readonly string[] => {
  const { clone, packages, lockedVersion, dockerfile, changelog } = candidate;
  const { version } = clone;
  const reasons: string[] = [];
  if (!clone.private)
    reasons.push(
      'package.json must be "private": true. Otherwise npm publish in a clone publishes the sources.',
    );
  if (packages.some((manifest) => 'private' in manifest))
    reasons.push('A package must not be private. See bootstrap/package/manifest.ts.');
  if (lockedVersion !== version)
    reasons.push(`package-lock.json is of ${lockedVersion}, package.json of ${version}. Run npm install.`);
  if (!dockerfile.includes(`org.opencontainers.image.version="${version}"`))
    reasons.push(`The Dockerfile has another org.opencontainers.image.version than ${version}.`);
  const notes = sectionOf(changelog, version)?.notes;
  if (notes === undefined) reasons.push(`CHANGELOG.md has no section "## ${version}".`);
  else if (notes === '') reasons.push(`The section "## ${version}" of CHANGELOG.md is empty.`);
  return reasons;
};

/** Every reason against a release, each one line. */
export const refusalsOf = (candidate: Candidate): readonly Refusal[] => [
  ...always(candidate).map((reason) => ({ reason, isForRelease: false })),
  ...beforePublication(candidate).map((reason) => ({ reason, isForRelease: true })),
];
