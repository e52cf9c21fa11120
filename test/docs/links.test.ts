import { expect } from 'chai';
import { anchorsOf, linksOf, pages } from './repository-pages.ts';

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
