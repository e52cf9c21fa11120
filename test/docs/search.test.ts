import { expect } from 'chai';
import { forEachCase } from '../support/for-each-case.ts';
import { type Served, serve } from './served.ts';

interface Entry {
  readonly kind: string;
  readonly title: string;
  readonly href: string;
  readonly names?: readonly string[];
}

/** The module of the page that ranks. It has no types. */
interface Ranking {
  prepare(entries: readonly Entry[]): object;
  find(
    index: object,
    query: string,
  ): { readonly entries: readonly Entry[]; readonly words: readonly string[] };
}

describe('The search of the docs', () => {
  let served: Served;
  let ranking: Ranking;
  let entries: readonly Entry[];
  let index: object;
  before(async () => {
    served = await serve();
    ranking = await import(`${new URL('../../adapters/ops/docs/browser/search-rank.ts', import.meta.url)}`);
    entries = JSON.parse(await (await fetch(`${served.url}/docs/search.json`)).text());
    index = ranking.prepare(entries);
  });
  after(() => served.close());

  const find = (query: string) => ranking.find(index, query).entries;

  it('has an index that is small, and not sent again while it is unchanged', async () => {
    const response = await fetch(`${served.url}/docs/search.json`);
    expect(response.headers.get('Content-Type')).to.equal('application/json; charset=utf-8');
    expect(Number(response.headers.get('Content-Length'))).to.be.within(20_000, 90_000);
    const headers = { 'If-None-Match': response.headers.get('ETag') ?? '' };
    expect((await fetch(`${served.url}/docs/search.json`, { headers })).status).to.equal(304);
  });

  it('finds first what a reader means, also with a typing error', () =>
    forEachCase(
      [
        ['refund', 'operation', 'Refund a payment'],
        ['refunds', 'resource', 'Refunds'],
        ['POST /v1/orders', 'operation', 'Create an order'],
        ['post orders', 'operation', 'Create an order'],
        ['/v1/orders/{order_id}', 'operation', 'Get an order'],
        ['createOrder', 'operation', 'Create an order'],
        ['createOrd', 'operation', 'Create an order'],
        ['create prod', 'operation', 'Create a product'],
        ['IDEMPOTENCY_KEY_IN_PROGRESS', 'error', 'IDEMPOTENCY_KEY_IN_PROGRESS'],
        ['idempotency key in progress', 'error', 'IDEMPOTENCY_KEY_IN_PROGRESS'],
        ['stock', 'operation', 'Change a stock'],
        ['order.paid', 'event', 'order.paid'],
        ['external_id', 'field', 'external_id'],
        ['shipping_address.city', 'field', 'shipping_address.city'],
        ['Idempotency-Key', 'field', 'Idempotency-Key'],
        ['DATABASE_URL', 'setting', 'DATABASE_URL'],
        ['portico doctor', 'command', 'portico doctor'],
        ['keys create', 'command', 'portico keys create'],
        ['rate limits', 'guide', 'Rate limits'],
        ['verify a webhook', 'section', 'Verify a webhook'],
        ['lost updates', 'section', 'Prevent lost updates'],
        // Letters that are swapped, missing, wrong and too many, also in part of a word.
        ['refnud', 'operation', 'Refund a payment'],
        ['createOdrer', 'operation', 'Create an order'],
        ['webhok endpoint', 'operation', 'Create a webhook endpoint'],
        ['idempotant retr', 'guide', 'Idempotent retries'],
        ['databse_url', 'setting', 'DATABASE_URL'],
        ['how do I cancel an order', 'operation', 'Update, cancel or fulfill an order'],
      ] as const,
      ([query, kind, title]) => {
        const [best] = find(query);
        expect([best?.kind, best?.title]).to.deep.equal([kind, title]);
      },
    ));

  it('finds errors by their status', () => {
    const found = find('409').slice(0, 6);
    expect(new Set(found.map(({ kind }) => kind))).to.deep.equal(new Set(['error']));
  });

  it('finds what has all words; what has some where nothing has all', () => {
    const { length: both } = find('stripe webhook');
    expect(both).to.be.greaterThan(0).and.lessThan(find('stripe').length);
    expect(find('refund zzzzzz')[0]?.title).to.equal('Refund a payment');
    expect(find('zzzzzz')).to.deep.equal([]);
    expect(find('  /  ')).to.deep.equal([]);
  });

  it('knows every operation, error, event, command and guide', async () => {
    const titles = (kind: string) => entries.filter((entry) => entry.kind === kind).map(({ title }) => title);
    const text = await (await fetch(`${served.url}/openapi.json`)).text();
    const document = JSON.parse(text);
    const ids = Object.values<object>(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    const names = entries.flatMap((entry) => entry.names ?? []);
    expect(ids).to.have.length.greaterThan(60);
    expect(names).to.include.members(ids);
    const codes = [...text.matchAll(/- \d{3} `([A-Z_]+)`/g)].map(([, code]) => code);
    expect(titles('error')).to.include.members(codes);
    expect(titles('event')).to.include.members(
      document.components.schemas.WebhookEvent.properties.type.anyOf[0].enum,
    );
    expect(titles('command')).to.include.members(['portico doctor', 'portico migrate up', 'portico openapi']);
    expect(titles('guide')).to.have.length(26).and.include.members(['A first paid order', 'Changelog']);
    expect(titles('setting')).to.have.length.greaterThan(30).and.not.include('VALIDATION_ERROR');
  });

  it('leads to places that exist', async () => {
    const pages = new Map<string, string>();
    for (const { href } of entries) {
      const [path = '', hash] = href.split('#');
      if (!pages.has(path)) {
        const response = await fetch(served.url + path);
        expect(response.status, href).to.equal(200);
        pages.set(path, await response.text());
      }
      if (hash) expect(pages.get(path), href).to.include(`id="${hash}"`);
    }
    expect(pages.size).to.be.greaterThan(35);
  });
});
