import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { type Server, startServer } from '../bootstrap/support/server.ts';
import { type OpenBrowser, openBrowser, reasonToSkip } from '../docs/browser.ts';
import { euros } from '../http/support/shop.ts';
import { builtPackage } from '../support/installed-package.ts';
import { temporaryFolder } from '../support/temporary.ts';

const run = promisify(execFile);

/** The script of the page. It is text because only the browser can resolve its imports. */
const shopping = `async ({ url, key, product }) => {
  const { orThrow, portico } = await import('/index.js');
  const shop = portico({ url, key });
  const order = orThrow(await shop.send('POST /orders', { body: { product_id: product, quantity: 1 } }));
  const payment = orThrow(await shop.send('POST /payments', {
    body: { order_id: order.data.id, payment_method: 'tok_ok' },
  }));
  const late = await shop.send('PATCH /orders/{order_id}', {
    path: { order_id: order.data.id },
    body: { status: 'canceled' },
    ifMatch: order.data.version,
  });
  const names = [];
  for await (const { name } of shop.each('GET /products')) names.push(name);
  return { status: payment.data.status, key: payment.idempotencyKey, late: late.error.code, names };
}`;

/** A read from a page whose origin the server does not allow. */
const forbidden = `async ({ url, key }) => {
  const { portico } = await import('/index.js');
  const attempts = [];
  const shop = portico({ url, key, onRetry: (_error, attempt) => attempts.push(attempt) });
  const { error } = await shop.send('GET /products');
  const { code, message } = error;
  return { url: location.origin, error: { code, message }, attempts };
}`;

describe(`The client in a browser${reasonToSkip ? ` (skipped: ${reasonToSkip})` : ''}`, () => {
  const place = temporaryFolder();
  let server: Server;
  let browser: OpenBrowser;

  /** Serves an empty page and the files of the package. */
  const pages = createServer((request, response) => {
    const file = basename(request.url ?? '');
    response.setHeader('Content-Type', file.endsWith('.js') ? 'text/javascript' : 'text/html');
    if (file.endsWith('.js')) createReadStream(place(`package/client/${file}`)).pipe(response);
    else response.end('<!doctype html><title>A shop</title>');
  });
  const origin = (): string => `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;

  before(async function () {
    if (reasonToSkip) return this.skip();
    await run('tar', ['xzf', await builtPackage('client'), '-C', place('.')]);
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
    server = await startServer({
      DATABASE_URL: 'memory:',
      CORS_ORIGIN: origin(),
      CORS_ALLOW_METHODS: 'GET, POST, PUT, PATCH, DELETE',
      CORS_ALLOW_HEADERS: 'Content-Type, Authorization, Idempotency-Key, If-Match, If-None-Match',
    });
    browser = await openBrowser();
  });

  after(async () => {
    await browser?.close();
    await server?.program.kill();
    pages.close();
  });

  it('says what to check when CORS settings forbid the call, and tells of each retry', async () => {
    const page = await browser.newPage();
    // Another origin than the server allows.
    await page.goto(origin().replace('127.0.0.1', 'localhost'));
    const { url, error, attempts } = (await page.evaluate(
      `(${forbidden})(${JSON.stringify({ url: server.client.base, key: server.client.token })})`,
    )) as { url: string; error: { code: string; message: string }; attempts: number[] };
    expect(error.code).to.equal('UNREACHABLE');
    expect(error.message).to.include(`the server runs at ${server.client.base}`);
    expect(error.message).to.include(`CORS_ORIGIN=${url},`);
    expect(error.message).to.match(/CORS_ALLOW_METHODS and the headers in CORS_ALLOW_HEADERS\.$/);
    expect(attempts.slice(0, 3)).to.deep.equal([1, 2, 3]);
  });

  it('places an order and pays it from a page of another origin', async () => {
    const { client } = server;
    const products = [];
    for (const name of ['Tea', 'Cake']) {
      products.push((await client.post('/v1/products', { name, price: euros(350) })).body.data);
    }
    const page = await browser.newPage();
    await page.goto(origin());
    const shopped = await page.evaluate(
      `(${shopping})(${JSON.stringify({
        url: client.base,
        key: client.token,
        product: products[0].id,
      })})`,
    );
    expect(shopped).to.deep.include({
      status: 'succeeded',
      late: 'PRECONDITION_FAILED',
      names: ['Tea', 'Cake'],
    });
    expect(shopped)
      .to.have.property('key')
      .that.matches(/^[0-9a-f]{32}$/);
  });
});
