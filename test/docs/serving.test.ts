import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { expect } from 'chai';
import { type Served, serve } from './served.ts';
import { filesOf, staticImports } from './static-imports.ts';

describe('The docs', () => {
  let served: Served;
  before(async () => {
    served = await serve();
  });
  after(() => served.close());

  const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(`${served.url}${path}`, { headers });

  it('are served with the media type of each file, without credentials', async () => {
    for (const [path, type] of Object.entries({
      '/docs': 'text/html',
      '/docs/': 'text/html',
      '/docs?from=readme': 'text/html',
      '/docs/api': 'text/html',
      '/docs/guides/first-order': 'text/html',
      '/docs/assets/page.css': 'text/css',
      '/docs/reference/orders': 'text/html',
      '/docs/reference/webhooks': 'text/html',
      '/docs/assets/old-links.ts': 'text/javascript',
      '/docs/assets/highlight/json.js': 'text/javascript',
      '/docs/assets/icon.svg': 'image/svg+xml',
    })) {
      const answer = await get(path);
      expect(answer.status, path).to.equal(200);
      expect(answer.headers.get('Content-Type'), path).to.equal(`${type}; charset=utf-8`);
      expect((await answer.text()).length, path).to.be.greaterThan(50);
    }
  });

  it('offer browsers the modules that write the samples, and the library of the views', async () => {
    for (const path of ['samples/index.ts', 'samples/form.ts', 'lit-html/lit-html.js']) {
      const file = await get(`/docs/assets/${path}`);
      expect(file.headers.get('Content-Type'), path).to.equal('text/javascript; charset=utf-8');
      expect(await file.text(), path).not.to.match(/^(import type|export interface|interface) /m);
    }
  });

  it('name each module that their scripts import, so that a browser fetches all of them at once', async () => {
    for (const path of ['/docs', '/docs/guides/first-order', '/docs/reference/orders']) {
      const files = filesOf(await (await get(path)).text());
      const modules = files.filter((file) => /\.[jt]s$/.test(file));
      const imports = await Promise.all(
        modules.map(async (file) => staticImports(file, await (await get(file)).text())),
      );
      expect(imports.flat().length, path).to.be.above(5);
      expect(imports.flat().filter((file) => !modules.includes(file))).to.deep.equal([]);
    }
  });

  it('share the base of their styles with the admin page, in the file that each loads first', async () => {
    const base = await readFile(new URL('../../adapters/ops/base.css', import.meta.url), 'utf8');
    const [admin = ''] =
      /\/admin\/[\w-]+\/assets\/styles\/page\.css/.exec(await (await get('/admin')).text()) ?? [];
    for (const path of ['/docs/assets/page.css', admin]) {
      const styles = await (await get(path)).text();
      expect(styles.startsWith(base), path).to.equal(true);
      expect(styles.length, path).to.be.greaterThan(2 * base.length);
    }
  });

  it('are where / redirects', async () => {
    const answer = await fetch(`${served.url}/`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('Location')]).to.deep.equal([302, '/docs']);
  });

  it('forbid foreign resources, inline code, framing and referrers', async () => {
    for (const path of [
      '/docs',
      '/docs/reference/orders',
      '/docs/guides/paging',
      '/docs/keys.json',
      '/docs/assets/page.css',
      '/docs/none',
    ]) {
      const { headers } = await get(path);
      const policy = headers.get('Content-Security-Policy')?.split('; ') ?? [];
      expect(policy, path).to.include.members([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
      ]);
      expect(policy.join(), path).not.to.match(/unsafe|https?:|\*/);
      expect(headers.get('X-Content-Type-Options'), path).to.equal('nosniff');
      expect(headers.get('Referrer-Policy'), path).to.equal('no-referrer');
      expect(headers.get('Access-Control-Allow-Origin'), path).to.equal(null);
    }
  });

  it('are sent compressed, and not again while they are unchanged', async () => {
    const first = await get('/docs/reference/orders');
    expect(first.headers.get('Content-Encoding')).to.equal('gzip');
    expect(Number(first.headers.get('Content-Length'))).to.be.lessThan(60_000);
    const again = await get('/docs/reference/orders', {
      'If-None-Match': first.headers.get('ETag') ?? '',
    });
    expect([again.status, await again.text()]).to.deep.equal([304, '']);
    const plain = await get('/docs/reference/orders', { 'Accept-Encoding': 'identity' });
    expect(plain.headers.get('Content-Encoding')).to.equal(null);
    expect(await plain.text()).to.equal(await first.text());
  });

  it('have an entity tag for each encoding, and match it in any list', async () => {
    for (const path of ['/docs', '/docs/reference/orders', '/docs/assets/page.css', '/openapi.json']) {
      const tagFor = async (encoding: string) =>
        (await get(path, { 'Accept-Encoding': encoding })).headers.get('ETag') ?? '';
      const tag = await tagFor('gzip');
      expect(tag)
        .to.match(/^"[^"]+"$/)
        .and.not.equal(await tagFor('identity'));
      for (const known of [tag, `"old", ${tag}`, `W/${tag}`, `"old",W/${tag}`, '*']) {
        const headers = { 'Accept-Encoding': 'gzip', 'If-None-Match': known };
        expect((await get(path, headers)).status, `${path} ${known}`).to.equal(304);
      }
      const headers = { 'Accept-Encoding': 'gzip', 'If-None-Match': `"old", ${await tagFor('identity')}` };
      expect((await get(path, headers)).status, path).to.equal(200);
    }
  });

  it('respond to GET and HEAD, and with 404 to unknown paths', async () => {
    const head = await fetch(`${served.url}/docs`, { method: 'HEAD' });
    expect([head.status, await head.text()]).to.deep.equal([200, '']);
    for (const path of ['/docs', '/openapi.json']) {
      const post = await fetch(`${served.url}${path}`, { method: 'POST' });
      expect([post.status, post.headers.get('Allow')], path).to.deep.equal([405, 'GET, HEAD']);
    }
    for (const path of [
      '/docs/none',
      '/docs/reference',
      '/docs/reference/none',
      '/docs/assets/',
      '/docs/assets/../../package.json',
      '/docs/guides/%2e%2e/api',
    ]) {
      expect((await getRawPath(served.url, path)).status, path).to.equal(404);
    }
    // A path that only starts with the same letters belongs to the API.
    expect((await get('/docsets')).status).to.equal(401);
  });

  it('have a page for a path that does not exist, for browsers only', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    for (const path of ['/docs/none', '/docs/assets/none.js', '/doc', '/orders']) {
      const page = await get(path, { Accept: accept });
      expect([page.status, page.headers.get('Content-Type')], path).to.deep.equal([
        404,
        'text/html; charset=utf-8',
      ]);
      expect([page.headers.get('Cache-Control'), page.headers.get('Vary')]).to.deep.equal([
        'no-store',
        'Accept',
      ]);
      const text = await page.text();
      expect(text).to.include('href="/docs/guides/first-order"');
      const head = await fetch(served.url + path, { method: 'HEAD', headers: { Accept: accept } });
      expect([head.status, await head.text()]).to.deep.equal([404, '']);
    }
    for (const headers of [{}, { Accept: '*/*' }, { Accept: 'application/json' }]) {
      const text = await get('/docs/none', headers);
      expect(await text.text()).to.equal('There is no such page. Start at /docs.\n');
    }
  });

  it('leave the API its responses, whatever a program accepts', async () => {
    const html = { Accept: 'text/html, */*;q=0.2' };
    const withKey = { ...html, Authorization: 'Bearer ptc_none' };
    expect((await get('/v1/none', html)).headers.get('Content-Type')).to.match(/^application\/json/);
    expect((await get('/v1', html)).headers.get('Content-Type')).to.match(/^application\/json/);
    expect((await get('/none', withKey)).headers.get('Content-Type')).to.match(/^application\/json/);
    const post = await fetch(`${served.url}/none`, { method: 'POST', headers: html });
    expect(post.headers.get('Content-Type')).to.match(/^application\/json/);
  });

  it('link only to pages and headings that exist', async () => {
    const seen = new Map<string, string>();
    const follow = async (path: string): Promise<void> => {
      if (seen.has(path)) return;
      const answer = await get(path);
      expect(answer.status, path).to.equal(200);
      seen.set(path, await answer.text());
      if (!answer.headers.get('Content-Type')?.startsWith('text/html')) return;
      for (const [, link = ''] of (seen.get(path) ?? '').matchAll(/(?:href|src)="([^"]+)"/g)) {
        const { origin, pathname, hash } = new URL(link, served.url + path);
        if (origin !== served.url) continue;
        await follow(pathname);
        if (hash) expect(seen.get(pathname), `${path} links to ${link}`).to.include(`id="${hash.slice(1)}"`);
      }
    };
    await follow('/docs');
    expect(seen.size).to.be.greaterThan(50);
  });

  it('show this server’s address in their examples', async () => {
    const guide = await (await get('/docs/guides/first-order')).text();
    expect(guide).to.include(`API=${served.apiUrl}/v1`).and.not.include('127.0.0.1:3000');
  });
});

/** Sends the path as it is: `fetch` would normalize it. */
const getRawPath = (url: string, path: string): Promise<{ readonly status: number | undefined }> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    request({ hostname, port, path }, (response) => {
      response.resume();
      resolve({ status: response.statusCode });
    })
      .on('error', reject)
      .end();
  });
