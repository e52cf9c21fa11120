import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type Server, startServer } from '../bootstrap/support/server.ts';
import { IdentityProvider } from '../http/support/identity-provider.ts';
import { euros } from '../http/support/shop.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { type OpenBrowser, openBrowser, reasonToSkip } from './browser.ts';

const guide = readFileSync(new URL('../../docs/guides/from-a-browser.md', import.meta.url), 'utf8');
const blockIn = (language: string): string =>
  new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'ms').exec(guide)?.[1] ?? '';

/** Sends what a shop sends. */
const shopping = `async ({ url, key, product }) => {
  const send = (method, path, headers = {}, body) => fetch(url + path, {
    method,
    headers: { Authorization: 'Bearer ' + key, ...(body && { 'Content-Type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const statuses = [];
  const ordered = await send('POST', '/v1/orders', { 'Idempotency-Key': 'order-1' }, { product_id: product, quantity: 1 });
  const { data: order } = await ordered.json();
  const path = '/v1/orders/' + order.id;
  statuses.push(ordered.status);
  const payment = { order_id: order.id, payment_method: 'tok_ok' };
  statuses.push((await send('GET', path, { 'If-None-Match': '"1"' })).status);
  statuses.push((await send('PATCH', path, { 'If-Match': '"9"' }, { status: 'canceled' })).status);
  statuses.push((await send('POST', '/v1/payments', { 'Idempotency-Key': 'pay-1' }, payment)).status);
  statuses.push((await send('DELETE', path)).status);
  return statuses;
}`;

/** Reads the catalogue as every visitor, and orders as a customer. */
const visiting = `async ({ url, publishable, token }) => {
  const as = (bearer) => ({ Authorization: 'Bearer ' + bearer });
  const found = await (await fetch(url + '/v1/products?q=earl', { headers: as(publishable) })).json();
  const order = (bearer) => fetch(url + '/v1/orders', {
    method: 'POST',
    headers: { ...as(bearer), 'Content-Type': 'application/json' },
    body: JSON.stringify({ product_id: found.data[0].id, quantity: 1 }),
  });
  return [found.data.map(({ name }) => name), (await order(publishable)).status, (await order(token)).status];
}`;

describe(`The guide to calls from a web page${reasonToSkip ? ` (skipped: ${reasonToSkip})` : ''}`, () => {
  const folder = temporaryFolder();
  const pages = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>A shop</title>');
  });
  const provider = new IdentityProvider();
  let server: Server;
  let browser: OpenBrowser;
  let page: Page;

  before(async function () {
    if (reasonToSkip) return this.skip();
    await new Promise<void>((resolve) => pages.listen(0, 'localhost', resolve));
    const { port } = pages.address() as AddressInfo;
    // The three lines as they are pasted, but for the port of the page.
    writeFileSync(folder('.env'), blockIn('ini .env').replace('5173', `${port}`));
    await provider.start();
    const identity = {
      JWT_ISSUER: provider.issuer,
      JWT_AUDIENCE: provider.audience,
      JWT_JWKS_URL: provider.keysUrl,
      JWT_PROVISION: '1',
    };
    const settings = { DATABASE_URL: 'memory:', CORS_ORIGIN: undefined, ...identity };
    server = await startServer(settings, { folder: folder() });
    browser = await openBrowser();
    page = await browser.newPage();
    await page.goto(`http://localhost:${port}/`);
  });
  after(async () => {
    await browser?.close();
    await server?.program.kill();
    pages.close();
    await provider.stop();
  });

  const publishableKey = async (): Promise<string> => {
    const key = { name: 'Page', publishable: true, rate_limit: 10_000 };
    return (await server.client.post('/v1/api-keys', key)).body.data.token;
  };

  it('has lines and a script that work when they are pasted', async () => {
    await server.client.post('/v1/products', { name: 'Tea', price: euros(350) });
    const script = blockIn('js')
      .replace('http://127.0.0.1:3000', server.client.base)
      .replace('ptp_…', await publishableKey());
    const names = await page.evaluate(`(async () => { ${script} return data.map(({ name }) => name); })()`);
    expect(names).to.deep.equal(['Tea']);
  });

  it('allows all that a shop sends', async () => {
    const { body } = await server.client.post('/v1/products', { name: 'Cake', price: euros(420) });
    const { base: url, token: key } = server.client;
    const input = JSON.stringify({ url, key, product: body.data.id });
    expect(await page.evaluate(`(${shopping})(${input})`)).to.deep.equal([201, 304, 412, 201, 405]);
  });

  it('lets a visitor search with a publishable key, and order with a token of their own', async () => {
    const { client } = server;
    await client.post('/v1/products', { name: 'Earl Grey', price: euros(350) });
    await client.post('/v1/products', { name: 'Earl Draft', price: euros(350), status: 'draft' });
    const publishable = await publishableKey();
    const claims = { sub: 'g-1', email: 'grace@example.com', email_verified: true, name: 'Grace' };
    const input = JSON.stringify({ url: client.base, publishable, token: await provider.token(claims) });
    const seen = await page.evaluate(`(${visiting})(${input})`);
    expect(seen).to.deep.equal([['Earl Grey'], 403, 201]);
  });
});
