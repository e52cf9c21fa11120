import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect } from 'chai';
import { adminHandler } from '#adapters/ops/admin/handler.ts';
import { portOf } from '../bootstrap/support/ports.ts';

describe('The files of the admin page', () => {
  const server = createServer(
    adminHandler({
      ...{ canSend: true, hasKeys: false },
      clientFolder: new URL('../../adapters/http/client/', import.meta.url),
      report: (error) => {
        throw error;
      },
    }),
  );
  let origin: string;

  before(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    origin = `http://127.0.0.1:${portOf(server)}`;
  });
  after(() => server.close());

  const get = async (path: string) => {
    const response = await fetch(origin + path);
    return {
      status: response.status,
      caching: response.headers.get('Cache-Control'),
      text: await response.text(),
    };
  };
  const filesOfPage = async (): Promise<readonly string[]> =>
    [...(await get('/admin')).text.matchAll(/(?:src|href)="(\/admin\/[^"]+)"/g)].map(([, path = '']) => path);

  it('are kept by a browser under the name of their release, with all that they import', async () => {
    expect((await get('/admin')).caching).to.equal('no-cache');
    const seen = new Set<string>();
    const load = async (path: string): Promise<void> => {
      if (seen.has(path)) return;
      seen.add(path);
      const { status, caching, text } = await get(path);
      expect([path, status, caching]).to.deep.equal([path, 200, 'public, max-age=31536000, immutable']);
      if (!/\.[jt]s$/.test(path)) return;
      for (const [, name = ''] of text.matchAll(/(?:\bfrom ?|\bimport\()["']([./][^"']+)["']/g))
        await load(new URL(name, origin + path).pathname);
    };
    for (const path of await filesOfPage()) await load(path);
    expect(seen.size).to.be.above(80);
    for (const name of [
      'client/call.ts',
      'product-files/plan.ts',
      'lit-html/lit-html.js',
      'csv-parse/sync.js',
    ])
      expect(
        [...seen].some((path) => path.endsWith(`/${name}`)),
        name,
      ).to.equal(true);
  });

  it('are asked for again under the name of another release, or under none', async () => {
    const [, release = ''] = /^\/admin\/([\w-]{16})\//.exec((await filesOfPage())[0] ?? '') ?? [];
    const kept = await get(`/admin/${release}/assets/app.ts`);
    for (const path of [`/admin/${'0'.repeat(16)}/assets/app.ts`, '/admin/assets/app.ts']) {
      const { status, caching, text } = await get(path);
      expect([status, caching]).to.deep.equal([200, 'no-cache']);
      expect(text).to.equal(kept.text);
    }
    for (const path of [`/admin/${release}/assets/none.js`, `/admin/${release}`, '/admin/../admin/x']) {
      const { status, caching } = await get(path);
      expect([status, caching]).to.deep.equal([404, 'no-store']);
    }
  });
});
