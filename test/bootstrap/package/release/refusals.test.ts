import { expect } from 'chai';
import { clientManifest, clone, fullManifest } from '#bootstrap/package/manifest.ts';
import { fieldsOf } from '#bootstrap/package/release/addresses.ts';
import { type Candidate, refusalsOf } from '#bootstrap/package/release/refusals.ts';

const right: Candidate = {
  clone: {
    ...clone,
    ...fieldsOf({ repository: 'https://forge.acme.org/shop/portico', reports: 'security@acme.org' }),
    version: '1.2.3',
  },
  packages: [fullManifest, clientManifest],
  lockedVersion: '1.2.3',
  dockerfile: 'LABEL org.opencontainers.image.version="1.2.3"',
  changelog: '# Changelog\n\n## 1.2.3 (2027-01-31)\n\nOrders.\n\n## 1.2.2 (2027-01-30)\n\nUsers.\n',
  status: [],
  ignored: [],
};

const reasonsOf = (changes: Partial<Candidate>) =>
  refusalsOf({ ...right, ...changes }).map(({ reason }) => reason);

/** Each with the words of the line that names it. */
const always: readonly (readonly [string, Partial<Candidate>, string])[] = [
  ['a clone that is not private', { clone: { ...right.clone, private: false } }, '"private": true'],
  ['a private package', { packages: [fullManifest, { private: true }] }, 'must not be private'],
  ['a lockfile of another version', { lockedVersion: '1.2.2' }, 'package-lock.json is of 1.2.2'],
  ['an image of another version', { dockerfile: right.dockerfile.replace('1.2.3', '1.2.2') }, 'Dockerfile'],
  [
    'a version without a section',
    { changelog: '# Changelog\n\n## 1.2.30 (2027-01-31)\n\nNo.\n' },
    'no section',
  ],
  [
    'a version with an empty section',
    { changelog: '## 1.2.3 (2027-01-31)\n\n## 1.2.2\n\nUsers.\n' },
    'is empty',
  ],
];

const rehearsed: readonly (readonly [string, Partial<Candidate>, string])[] = [
  [
    'changes that are not committed',
    { status: [' M README.md', '?? new'] },
    '2 changes that are not committed',
  ],
  ['an ignored file that would be packaged', { ignored: ['docs/examples/.env'] }, 'have: docs/examples/.env'],
  ['a folder that is no repository', { status: undefined }, 'no git repository'],
  [
    'placeholders',
    {
      clone: {
        ...right.clone,
        ...fieldsOf({ repository: 'https://code.portico.example/portico', reports: 'security@acme.org' }),
      },
    },
    'placeholders (https://code.portico.example/portico)',
  ],
  ['a version without its day', { changelog: '## 1.2.3 (unreleased)\n\nOrders.\n' }, 'no day for 1.2.3'],
];

describe('A release', () => {
  it('is made of a clone without a fault', () => {
    expect(refusalsOf(right)).to.deep.equal([]);
  });

  for (const [name, changes, words] of [...always, ...rehearsed]) {
    it(`refuses ${name}, in one line that names it`, () => {
      const [reason, ...others] = reasonsOf(changes);
      expect(others).to.deep.equal([]);
      expect(reason).to.include(words).and.not.include('\n');
    });
  }

  it('accepts in a rehearsal only what must be right at publication', () => {
    for (const [kinds, isForRelease] of [
      [always, false],
      [rehearsed, true],
    ] as const)
      for (const [name, changes] of kinds)
        expect(refusalsOf({ ...right, ...changes })[0]?.isForRelease, name).to.equal(isForRelease);
  });
});
