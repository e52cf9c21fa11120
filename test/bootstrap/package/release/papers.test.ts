import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { renderMarkdown } from '#adapters/ops/docs/markdown.ts';
import { clientManifest, clone, fullManifest } from '#bootstrap/package/manifest.ts';
import {
  addressesOf,
  checkedAddresses,
  currentAddresses,
  fieldsOf,
  papers,
  placeholdersIn,
  withAddresses,
} from '#bootstrap/package/release/addresses.ts';

const textOf = (paper: string): string => readFileSync(paper, 'utf8');
const { repository, reports } = currentAddresses();

/** Each address of the web in a text that shows where it leads. */
const urlsIn = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, url = '']) => url);

describe('The papers of the project', () => {
  it('have their addresses from package.json, whose fields agree with each other', () => {
    expect(addressesOf(clone)).to.deep.equal({ repository, reports });
    for (const manifest of [clone, fullManifest, clientManifest])
      expect(manifest).to.deep.include(fieldsOf({ repository, reports }));
  });

  it('name the person who reads reports', () => {
    for (const paper of ['SECURITY.md', 'CODE_OF_CONDUCT.md'])
      expect(textOf(paper), paper).to.include(`**${reports}**`);
  });

  it('lead to the issues, and the forms of issues to pages of the repository', () => {
    expect(textOf('SUPPORT.md')).to.include(`(${repository}/issues)`);
    const form = textOf('.github/ISSUE_TEMPLATE/config.yml');
    const urls = urlsIn(form, /url: (\S+)/g);
    expect(urls).to.have.length.above(1);
    for (const url of urls) expect(url).to.match(new RegExp(`^${RegExp.escape(repository)}/blob/main/`));
  });

  it('lead from alerts to pages of the repository, and name it in the image', () => {
    const urls = urlsIn(textOf('docs/deploy/prometheus-alerts.yaml'), /runbook_url: (\S+)/g);
    expect(urls).to.have.length.above(15);
    for (const url of urls) expect(url).to.match(new RegExp(`^${RegExp.escape(repository)}/blob/main/docs/`));
    expect(textOf('Dockerfile')).to.include(`org.opencontainers.image.source="${repository}"`);
  });

  it('lead from the repository to files that exist', () => {
    for (const paper of papers()) {
      const files = urlsIn(
        textOf(paper),
        new RegExp(`${RegExp.escape(repository)}/blob/main/([\\w./-]+)`, 'g'),
      );
      for (const file of files) expect(() => textOf(file), `${paper} names ${file}`).not.to.throw();
    }
  });

  it('link to pages and headings that exist', () => {
    for (const paper of ['CHANGELOG.md', 'CODE_OF_CONDUCT.md', 'SECURITY.md', 'SUPPORT.md']) {
      for (const target of urlsIn(textOf(paper), /\]\((?!https?:)([^)]+)\)/g)) {
        const [page = '', anchor] = target.split('#');
        const { html } = renderMarkdown(textOf(page), (href) => href);
        if (anchor !== undefined) expect(html, `${paper} links to ${target}`).to.include(`id="${anchor}"`);
      }
    }
  });

  it('are all changed by one command', () => {
    const named = checkedAddresses('https://forge.acme.test/shop/portico', 'security@acme.test');
    const former = { repository, reports };
    const changed = papers().map((paper) => withAddresses(textOf(paper), former, named));
    for (const text of changed)
      expect(text).not.to.include(new URL(repository).host).and.not.to.include(reports);
    const manifest = withAddresses(textOf('package.json'), former, named);
    expect(addressesOf(JSON.parse(manifest))).to.deep.equal(named);
    expect(JSON.parse(manifest)).to.deep.include(fieldsOf(named));
  });
});

describe('Addresses of the project', () => {
  it('are placeholders below the names that no host can have', () => {
    const placeholders = (host: string) =>
      placeholdersIn({ repository: `https://${host}/portico`, reports: `reports@${host}` });
    for (const host of ['code.portico.example', 'portico.invalid', 'example.com', 'git.example.org'])
      expect(placeholders(host), host).to.have.length(2);
    for (const host of ['example.dev', 'myexample.com', 'github.com'])
      expect(placeholders(host), host).to.deep.equal([]);
  });

  it('are rejected in another form, with what they must look like', () => {
    const repositories = ['', 'github.com/acme/portico', 'https://acme.org', 'https://acme.org/portico.git'];
    for (const wrong of repositories)
      expect(() => checkedAddresses(wrong, 'a@acme.org')).to.throw(RangeError, 'must be the https address');
    for (const wrong of ['', 'acme.org', 'a@acme', 'a b@acme.org'])
      expect(() => checkedAddresses('https://acme.org/portico', wrong)).to.throw(RangeError, 'e-mail');
  });
});
