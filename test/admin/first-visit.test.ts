import { once } from 'node:events';
import { createServer, get } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { adminHandler } from '#adapters/ops/admin/handler.ts';
import { portOf } from '../bootstrap/support/ports.ts';
import { filesOf, staticImports } from '../docs/static-imports.ts';

/** What a first visit loaded before the page's modules were TypeScript: the page, and its files, compressed. */
const maxFiles = 130;
const maxBytes = 153_006;

describe('The first visit of the admin page', () => {
  const server = createServer(
    adminHandler({
      ...{ canSend: true, hasKeys: false },
      clientFolder: new URL('../../adapters/http/client/', import.meta.url),
      report: (error) => {
        throw error;
      },
    }),
  );
  let page: string;
  let bytes = 0;
  /** By their addresses. */
  const files = new Map<string, string>();

  const load = async (path: string): Promise<string> => {
    const headers = { 'Accept-Encoding': 'gzip' };
    const [response] = await once(get({ port: portOf(server), path, headers }), 'response');
    expect(response.statusCode, path).to.equal(200);
    const body = Buffer.concat(await response.toArray());
    bytes += body.length;
    return gunzipSync(body).toString();
  };

  before(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    page = await load('/admin');
    for (const path of filesOf(page)) files.set(path, await load(path));
  });
  after(() => server.close());

  it('needs two rounds: the page names every module that one of them imports, once', () => {
    const imports = [...files].flatMap(([path, text]) => staticImports(path, text));
    expect(imports.length).to.be.above(300);
    expect(imports.filter((path) => !files.has(path))).to.deep.equal([]);
    const preloaded = [...page.matchAll(/rel="modulepreload" href="([^"]+)"/g)].map(([, path = '']) => path);
    expect(new Set(imports)).to.include.keys(preloaded);
    expect(new Set(preloaded).size).to.equal(preloaded.length);
  });

  it('loads nothing that is imported on demand', () => {
    for (const name of ['csv-parse/', 'product-files/', 'views/import/view.'])
      expect([...files.keys()].filter((path) => path.includes(name))).to.deep.equal([]);
  });

  it(`loads at most ${maxFiles} files of together ${maxBytes} bytes`, () => {
    expect(files.size).to.be.within(100, maxFiles);
    expect(bytes).to.be.within(100_000, maxBytes);
  });
});
