import { expect } from 'chai';
import { type Served, serve } from './served.ts';

describe('The docs for programs that read', () => {
  let served: Served;
  before(async () => {
    served = await serve();
  });
  after(() => served.close());

  const get = (path: string): Promise<Response> => fetch(served.url + path);
  const textOf = async (path: string): Promise<string> => (await get(path)).text();
  const linksOf = (markdown: string): readonly string[] =>
    [...markdown.matchAll(/\]\((\/[^)#]*|[^):#]+\.md)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);

  it('begin at /llms.txt, which lists every guide and every resource, as Markdown', async () => {
    const response = await get('/llms.txt');
    expect(response.headers.get('Content-Type')).to.equal('text/plain; charset=utf-8');
    const text = await response.text();
    expect(text).to.match(/^# Portico\n\n> A commerce API whose payments happen exactly once\.\n/);
    expect(text).to.include('(/docs/guides/first-order.md): Find a product, order it, pay for it.\n');
    const links = linksOf(text);
    expect(links).to.have.length.greaterThan(35);
    for (const link of links) {
      const { status, headers } = await get(link);
      expect(status, link).to.equal(200);
      const type = link.endsWith('.md') ? 'text/markdown' : 'application/json';
      expect(headers.get('Content-Type'), link).to.equal(`${type}; charset=utf-8`);
    }
  });

  it('are not sent again while they are unchanged', async () => {
    for (const path of ['/llms.txt', '/docs/reference/orders.md', '/docs/guides/errors.md']) {
      const headers = { 'If-None-Match': (await get(path)).headers.get('ETag') ?? '' };
      expect((await fetch(served.url + path, { headers })).status, path).to.equal(304);
    }
  });

  it('have guides with this server’s address, whose links lead to Markdown', async () => {
    const guide = await textOf('/docs/guides/first-order.md');
    expect(guide).to.match(/^# A first paid order\n/);
    expect(guide).to.include(`API=${served.apiUrl}/v1`);
    for (const path of ['/docs/guides/first-order.md', '/docs/api.md', '/docs/changelog.md']) {
      const links = linksOf(await textOf(path));
      expect(links, path).not.to.be.empty;
      for (const link of links) {
        const { pathname } = new URL(link, served.url + path);
        expect((await get(pathname)).status, `${path} links to ${link}`).to.equal(200);
      }
    }
  });

  it('describe each operation with its fields and examples', async () => {
    const { paths } = JSON.parse(await textOf('/openapi.json'));
    for (const [path, methods] of Object.entries<object>(paths)) {
      for (const [method, { operationId, tags }] of Object.entries(methods)) {
        const page = await textOf(`/docs/reference/${tags[0]}.md`);
        expect(page).to.include(`\n\`${method.toUpperCase()} ${path}\` (\`${operationId}\`)\n`);
      }
    }
    const orders = await textOf('/docs/reference/orders.md');
    expect(orders).to.include('- 409 `OUT_OF_STOCK`: ').and.to.include(`curl '${served.apiUrl}/v1/orders'`);
    expect(orders).to.match(/^- `shipping_address` .+\n {2}- `name` \(string, required/m);
    expect(orders).to.match(/^- `note` \(.*at most 1,000 characters.*\): /m);
  });

  it('have the changelog as a page, which links to pages only', async () => {
    const page = await textOf('/docs/changelog');
    expect(page).to.include('<h1 id="changelog">Changelog</h1>').and.include('href="/docs/api#sales"');
    expect(page.split('<main')[1]).not.to.match(/href="[^"#]*(operations|CONTRIBUTING|\.md)/);
  });
});
