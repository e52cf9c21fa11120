import { expect } from 'chai';
import { contextPaths } from '#bootstrap/package/release/image-context.ts';
import { releaseNotes, sectionOf } from '#bootstrap/package/release/notes.ts';
import { copies } from '../../../deploy/dockerfile.ts';
import { textOf } from '../../../deploy/files.ts';

const changelog = `# Changelog

## 0.2.0 (2027-02-28)

### For clients

- A [field](docs/api.md#orders).

## 0.1.0 (unreleased)

The first.
`;

describe('The section of a version in the changelog', () => {
  it('ends where the next one begins', () => {
    expect(sectionOf(changelog, '0.2.0')).to.deep.equal({
      date: '2027-02-28',
      notes: '### For clients\n\n- A [field](docs/api.md#orders).',
    });
  });

  it('has no date before the release', () => {
    expect(sectionOf(changelog, '0.1.0')).to.deep.equal({ date: undefined, notes: 'The first.' });
  });

  it('is that of the whole version', () => {
    expect(sectionOf(changelog, '0.2')).to.equal(undefined);
    expect(sectionOf(changelog, '0.1.00')).to.equal(undefined);
  });
});

describe('The notes of a release', () => {
  it('lead to the files of its tag, and leave other links alone', () => {
    const notes = '[a](docs/api.md#orders) [b](SUPPORT.md) [c](https://acme.org/x) [d](#files)';
    const text = releaseNotes(notes, {
      version: '1.0.0',
      repository: 'https://acme.org/p',
      files: new Map([['a.tgz', 'the package']]),
    });
    expect(text).to.include('[a](https://acme.org/p/blob/v1.0.0/docs/api.md#orders)');
    expect(text).to.include('[b](https://acme.org/p/blob/v1.0.0/SUPPORT.md)');
    expect(text).to.include('[c](https://acme.org/x) [d](#files)').and.to.include('- `a.tgz`: the package');
  });
});

describe('The build context of the image', () => {
  it('has all that the Dockerfile copies', () => {
    const paths = contextPaths(textOf('.dockerignore'));
    expect(paths).to.include.members(['Dockerfile', ...copies.flatMap(({ sources }) => sources)]);
  });
});
