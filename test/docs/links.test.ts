import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect } from 'chai';

/** Headings and parts of the page for operators as it was when it was one. Others link to them. */
const formerAnchors = [
  'alerts',
  'backup-and-restore',
  'before-you-go-live',
  'capacity',
  'compose',
  'database-roles',
  'deployment',
  'docker',
  'events-from-the-payment-provider',
  'health',
  'kubernetes',
  'logs',
  'long-transactions-and-events',
  'metrics',
  'porticoconnectionsscarce',
  'porticodatabaseaway',
  'porticodown',
  'porticoeventlooplate',
  'porticoeventsnotnumbered',
  'porticoeventsrejected',
  'porticoeventsslow',
  'porticofailing',
  'porticologlost',
  'porticonobodyonduty',
  'porticopaymentsunfinished',
  'porticoproviderfailing',
  'porticoprovidermismatch',
  'porticoreconciliationgivenup',
  'porticoreconciliationlate',
  'porticoshedding',
  'porticoslow',
  'porticounauthenticated',
  'porticowebhookdisabled',
  'porticowebhookeventslost',
  'porticowebhookfailing',
  'porticowebhooklag',
  'porticowebhooksfailing',
  'porticowebhooksnotsigned',
  'postgresql',
  'public-docs',
  'receivers-that-are-not-public',
  'secrets-in-files',
  'secrets-of-webhook-endpoints',
  'sqlite',
  'systemd',
  'the-admin-page',
  'the-reason-of-a-503',
  'the-rule-for-migrations',
  'tls-and-proxies',
  'traces',
  'upgrades',
  'warnings-about-reconciliation',
  'warnings-about-webhooks',
  'what-a-restore-means-for-events',
  'what-a-restore-means-for-payments',
  'what-every-deployment-needs',
  'what-has-been-tested',
  'when-something-goes-wrong',
];

const withoutCode = (markdown: string): string => markdown.replaceAll(/^ *(`{3,}).*?^ *\1/gms, '');

/** The anchors of a page: those that GitHub gives its headings, and its own. */
const anchorsOf = (markdown: string): ReadonlySet<string> => {
  const text = withoutCode(markdown);
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );
  const repeated = headings.map((slug, index) => {
    const before = headings.slice(0, index).filter((other) => other === slug).length;
    return before === 0 ? slug : `${slug}-${before}`;
  });
  const own = [...text.matchAll(/<a id="([^"]+)"/g)].map(([, id = '']) => id);
  return new Set([...repeated, ...own]);
};

const pages = new Map(
  globSync(['*.md', 'docs/**/*.md', '.github/**/*.md'], { exclude: ['**/node_modules/**'] }).map(
    (file) => [file, readFileSync(file, 'utf8')] as const,
  ),
);

/** The links of a page to other pages of the repository, and to its own headings. */
const linksOf = (file: string): readonly { readonly page: string; readonly anchor: string }[] =>
  [...withoutCode(pages.get(file) ?? '').matchAll(/\]\(([^():\s]+\.md)?(#[^)\s]+)?\)/g)]
    .filter(([, page, anchor]) => page !== undefined || anchor !== undefined)
    .map(([, page, anchor = '']) => ({
      page: page === undefined ? file : normalize(join(dirname(file), page)),
      anchor: anchor.slice(1),
    }));

describe('The pages of the repository', () => {
  it('link to pages and headings that exist', () => {
    const links = [...pages.keys()].flatMap((file) => linksOf(file).map((link) => ({ file, ...link })));
    expect(links).to.have.length.above(300);
    const broken = links.filter(({ page, anchor }) => {
      const markdown = pages.get(page);
      return markdown === undefined || (anchor !== '' && !anchorsOf(markdown).has(anchor));
    });
    expect(broken.map(({ file, page, anchor }) => `${file}: ${page}#${anchor}`)).to.deep.equal([]);
  });

  it('for operators lead from every former heading to where it is now', () => {
    const contents = pages.get('docs/operations.md') ?? '';
    const [own, targets] = [anchorsOf(contents), linksOf('docs/operations.md')];
    for (const anchor of formerAnchors) {
      expect(own, anchor).to.include(anchor);
      expect(
        targets.map((target) => target.anchor),
        anchor,
      ).to.include(anchor);
    }
  });
});
