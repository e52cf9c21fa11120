import { expect } from 'chai';
import type { App } from '#bootstrap/composition/app.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { docsUrlOf } from '#bootstrap/config/pages.ts';
import { appsOfEachTest } from '../bootstrap/support/apps.ts';
import { operatorKey } from '../bootstrap/support/server-settings.ts';
import { certificate, tls } from '../http/support/certificate.ts';
import { Client, type Json } from '../http/support/client.ts';
import { expectProblem } from '../http/support/protocol.ts';
import { credential, requestText, Wire } from '../http/support/wire.ts';

describe('The listener for pages', () => {
  const apps = appsOfEachTest({ SEED_DEMO: '1', OPS_PORT: '', PAGES_PORT: '' });
  let app: App;
  const start = async (environment: Readonly<Record<string, string>> = {}): Promise<string> => {
    ({ app } = await apps.start(environment));
    return app.pagesUrl ?? '';
  };

  it('does not listen without PAGES_PORT', async () => {
    expect(await start({ PAGES_PORT: '0' })).to.equal('');
  });

  it('serves the docs, the guides and the document without a credential', async () => {
    const url = await start();
    for (const path of [
      '/docs',
      '/docs/api',
      '/docs/guides/first-order',
      '/docs/assets/page.css',
      '/openapi.json',
    ]) {
      expect((await fetch(url + path)).status, path).to.equal(200);
    }
    expect((await fetch(url)).url).to.equal(`${url}/docs`);
  });

  it('serves the API with all its checks, and says where its docs are', async () => {
    const url = await start();
    expect((await new Client(() => url, operatorKey).get('/v1/products')).status).to.equal(200);
    const answer = await new Client(() => url, undefined).get('/v1/products');
    expectProblem(answer, '401 UNAUTHORIZED');
    expect(answer.headers.get('Link')).to.equal('</docs>; rel="help"');
    expect((await new Client(() => url, operatorKey).get('/v1/products')).headers.get('Link')).to.equal(null);
  });

  it('serves neither metrics nor health nor the demonstration’s keys', async () => {
    const url = await start({ ADMIN_API_KEY: '' });
    for (const path of ['/metrics', '/livez', '/readyz']) {
      expectProblem(await new Client(() => url, undefined).get(path), '401 UNAUTHORIZED');
    }
    expect((await fetch(`${url}/docs/keys.json`)).status).to.equal(404);
    expect(await (await fetch(`${url}/docs`)).text()).not.to.include('data-keys');
    expect((await fetch(`${app.opsUrl}/docs/keys.json`)).status).to.equal(200);
  });

  it('behind a proxy serves the API only where the client used HTTPS', async () => {
    const url = await start({ TRUST_PROXY: '1', PAGES_HOST: '0.0.0.0' });
    const local = url.replace('0.0.0.0', '127.0.0.1');
    const client = new Client(() => local, operatorKey);
    expectProblem(await client.get('/v1/products'), '403 HTTPS_REQUIRED');
    const secure = await client.get('/v1/products', { 'X-Forwarded-Proto': 'https' });
    expect(secure.status).to.equal(200);
  });

  it('speaks TLS with the API’s certificate', async () => {
    const url = await start({ ...tls, PAGES_HOST: '0.0.0.0' });
    const local = url.replace('0.0.0.0', '127.0.0.1');
    expect(local).to.match(/^https:/);
    const wire = await Wire.open(local, certificate.cert);
    wire.write(requestText('HEAD /docs'));
    expect((await wire.answer(true)).status).to.equal(200);
    wire.write(requestText('GET /v1/products', [credential({ token: operatorKey })]));
    expect((await wire.answer()).status).to.equal(200);
    expect((await wire.write(requestText('GET /docs/api')).answer()).text).to.include('<!doctype html>');
    expect((await wire.write(requestText('GET /docs')).answer()).text).to.include('data-can-send');
    wire.destroy();
  });

  it('names the public address in the document and in the guides', async () => {
    const url = await start({ PUBLIC_URL: 'https://shop.example/' });
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as Json;
    expect(document.servers).to.deep.equal([{ url: 'https://shop.example', 'x-internal': false }]);
    expect(document.info.version).to.match(/^\d+\.\d+\.\d+/);
    expect(await (await fetch(`${url}/docs/guides/first-order`)).text()).to.include(
      'https://shop.example/v1',
    );
    const created = await new Client(() => url, operatorKey).post('/v1/products', {
      name: 'Tea',
      price: { amount: 1, currency: 'EUR' },
    });
    expect(created.headers.get('Location')).to.match(/^\/v1\/products\//);
  });
});

describe('The address of the API in the OpenAPI document for operators', () => {
  const apps = appsOfEachTest({ OPS_PORT: '' });
  const cases: readonly (readonly [string, Readonly<Record<string, string>>, string | undefined])[] = [
    ['is its own on a machine of one’s own', {}, undefined],
    ['is the public one', { PUBLIC_URL: 'https://shop.example' }, 'https://shop.example'],
    ['is left to the reader behind a proxy', { TRUST_PROXY: '1' }, '/'],
    ['is left to the reader where the API listens on all addresses', { HOST: '0.0.0.0', ...tls }, '/'],
  ];
  for (const [title, environment, expected] of cases) {
    it(title, async () => {
      const { app } = await apps.start(environment);
      const { servers } = (await (await fetch(`${app.opsUrl}/openapi.json`)).json()) as Json;
      expect(servers).to.deep.equal([{ url: expected ?? app.url, 'x-internal': false }]);
    });
  }
});

describe('The docs that a 401 of the API names', () => {
  const apps = appsOfEachTest({ OPS_PORT: '' });
  const cases: readonly (readonly [string, Readonly<Record<string, string>>, string | undefined])[] = [
    ['are those of the operators on a machine of one’s own', {}, 'http://127.0.0.1:9090/docs'],
    ['may be on another loopback address', { OPS_HOST: '::1' }, 'http://[::1]:9090/docs'],
    ['are not named where there are none', { OPS_PORT: '0' }, undefined],
    ['are not named where only the operators reach them', { HOST: '0.0.0.0', TRUST_PROXY: '1' }, undefined],
    ['are those of the pages', { PAGES_PORT: '8080' }, 'http://127.0.0.1:8080/docs'],
    [
      'are those of the pages, over TLS',
      { PAGES_PORT: '8080', PAGES_HOST: '192.0.2.1', ...tls },
      'https://192.0.2.1:8080/docs',
    ],
    [
      'have no address that the server knows',
      { PAGES_PORT: '8080', PAGES_HOST: '0.0.0.0', ...tls },
      undefined,
    ],
    [
      'are at the public address',
      { PAGES_PORT: '8080', PAGES_HOST: '::', TRUST_PROXY: '1', PUBLIC_URL: 'https://shop.example/api/' },
      'https://shop.example/api/docs',
    ],
    [
      'are not named at a public address without pages',
      { HOST: '::', TRUST_PROXY: '1', PUBLIC_URL: 'https://shop.example' },
      undefined,
    ],
  ];
  for (const [what, environment, url] of cases) {
    it(what, () => {
      expect(docsUrlOf(readConfig({ DATABASE_URL: 'memory:', ...environment }))).to.equal(url);
    });
  }

  it('are in a Link of each 401, and of no other response', async () => {
    const { app, client: known } = await apps.start();
    const link = `<${app.opsUrl}/docs>; rel="help"`;
    for (const client of [new Client(() => app.url, undefined), new Client(() => app.url, 'ptc_unknown')]) {
      const answer = await client.get('/v1/products');
      expect([answer.status, answer.headers.get('Link')]).to.deep.equal([401, link]);
      expect(answer.body.error.message).to.include('Authorization: Bearer <key>');
    }
    expect((await known.get('/v1/none')).headers.get('Link')).to.equal(null);
  });
});
