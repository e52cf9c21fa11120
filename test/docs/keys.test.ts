import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { docsHandler } from '#adapters/ops/docs/handler.ts';
import { createAsset } from '#adapters/ops/responses.ts';
import { Client } from '../http/support/client.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { askForKeys } from './ask-for-keys.ts';
import { type Served, serve } from './served.ts';

describe('The demonstration keys of the docs page', () => {
  const place = temporaryFolder();
  const running: Served[] = [];
  const start = async (environment: Readonly<Record<string, string>> = {}): Promise<Served> => {
    const served = await serve(environment, { credentialTtlMs: 1 });
    running.push(served);
    return served;
  };
  afterEach(async () => {
    await Promise.all(running.splice(0).map((served) => served.close()));
  });

  const roleOf = async ({ url }: Served, token: string): Promise<string> => {
    const caller = new Client(() => url, token);
    const order = await caller.get('/v1/orders?limit=1');
    const users = await caller.get('/v1/users?limit=1');
    return `${order.status} ${users.status}`;
  };

  it('act for the demonstration’s customer and administrator, and may not be cached', async () => {
    const served = await start();
    const { status, caching, keys } = await askForKeys(served.url);
    expect([status, caching, Object.keys(keys)]).to.deep.equal([200, 'no-store', ['customer', 'admin']]);
    expect(await roleOf(served, keys.customer)).to.equal('200 403');
    expect(await roleOf(served, keys.admin)).to.equal('200 200');
    const all = await new Client(() => served.url, keys.admin).get('/v1/api-keys');
    expect(all.text).not.to.include(keys.admin.split('_')[1]);
  });

  it('are new at every start, and the old ones are rejected', async () => {
    const settings = { DATABASE_URL: `sqlite:${place('shop.db')}` };
    const first = await start(settings);
    const { keys: old } = await askForKeys(first.url);
    await running.pop()?.close();
    const second = await start(settings);
    const { keys } = await askForKeys(second.url);
    expect(await roleOf(second, keys.admin)).to.equal('200 200');
    expect(await roleOf(second, old.admin)).to.equal('401 401');
  });

  it('are shown to pages of this machine only, under each of its loopback names', async () => {
    const { url } = await start();
    const { port } = new URL(url);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, '127.8.9.1']) {
      expect((await askForKeys(url, { Host: host })).status, host).to.equal(200);
    }
    for (const host of [
      `evil.example:${port}`,
      `127.0.0.1.evil.example:${port}`,
      `localhost.evil.example:${port}`,
      'evil.example#localhost',
      'localhost@evil.example',
      '192.168.0.7',
      '0.0.0.0',
    ]) {
      expect(await askForKeys(url, { Host: host }), host).to.deep.equal({
        status: 403,
        caching: 'no-store',
        keys: {},
      });
    }
  });

  it('are not shown to a page of another site or port', async () => {
    const { url } = await start();
    for (const site of ['cross-site', 'same-site']) {
      expect((await askForKeys(url, { 'Sec-Fetch-Site': site })).status, site).to.equal(403);
    }
    for (const site of ['same-origin', 'none']) {
      expect((await askForKeys(url, { 'Sec-Fetch-Site': site })).status, site).to.equal(200);
    }
  });

  it('are not shown to requests with a header of a proxy', async () => {
    const { url } = await start();
    for (const [name, value] of Object.entries({
      Forwarded: 'for=203.0.113.7',
      'X-Forwarded-For': '203.0.113.7',
      'X-Forwarded-Host': 'shop.example',
      'X-Forwarded-Proto': 'https',
      'X-Real-IP': '203.0.113.7',
      Via: '1.1 proxy',
    })) {
      const { status, keys } = await askForKeys(url, { 'Sec-Fetch-Site': 'same-origin', [name]: value });
      expect([status, keys], name).to.deep.equal([403, {}]);
    }
  });

  it('are not shown to another machine, whatever its Host header', async () => {
    const handle = docsHandler({
      version: '1',
      document: () => createAsset('application/json', '{}'),
      apiUrl: undefined,
      canSend: true,
      findKeys: async () => ({ admin: 'ptc_1' }),
      // So the address of the test counts as another machine.
      isLocal: (host) => host === 'localhost',
      report: () => undefined,
    });
    const server = createServer(handle).listen(0, '127.0.0.1');
    try {
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const { status, keys } = await askForKeys(`http://127.0.0.1:${port}`, { Host: 'localhost' });
      expect([status, keys]).to.deep.equal([403, {}]);
    } finally {
      server.close();
    }
  });

  it('do not exist without a demonstration, in an operator’s own shop, or beyond a loopback address', async () => {
    for (const environment of [
      { SEED_DEMO: '0' },
      { ADMIN_API_KEY: 'an-operator-key-that-is-long-enough-for-all' },
      { OPS_HOST: '0.0.0.0' },
      { TRUST_PROXY: '1' },
      { SEED_DEMO: '0', PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_test_4eC39HqLyjWDarjtT1zdp7dc' },
    ]) {
      const { url } = await start(environment);
      const about = JSON.stringify(environment);
      expect((await askForKeys(url)).status, about).to.equal(404);
      expect(await (await fetch(`${url}/docs`)).text(), about).not.to.include('data-keys');
    }
  });

  it('end with the users that they act for', async () => {
    const served = await start();
    const { keys } = await askForKeys(served.url);
    const admin = new Client(() => served.url, keys.admin);
    const { body } = await admin.get('/v1/users?email=admin@example.com');
    expect((await admin.delete(`/v1/users/${body.data[0].id}`)).status).to.equal(204);
    expect(Object.keys((await askForKeys(served.url)).keys)).to.deep.equal(['customer']);
    // The credential is cached for a moment, and each request takes one.
    while ((await roleOf(served, keys.admin)) !== '401 401');
    expect((await fetch(`${served.url}/docs`)).status).to.equal(200);
  });
});
