import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import type { Json } from '../../http/support/client.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { ending, portico, runHere } from '../support/portico.ts';
import { type Server, startServer } from '../support/server.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

describe('portico listen', () => {
  const folder = temporaryFolder();
  const settings = () => ({ DATABASE_URL: `sqlite:${folder('shop.db')}` });
  const received: Received[] = [];
  let status = 204;
  const receiver = createServer(async (request, response) => {
    received.push({
      headers: request.headers,
      body: Buffer.concat(await request.toArray()).toString(),
    });
    response.writeHead(status).end();
  });
  let server: Server;
  let url: string;
  before(async () => {
    server = await startServer(settings());
    await once(receiver.listen(0, '127.0.0.1'), 'listening');
    url = `http://localhost:${(receiver.address() as AddressInfo).port}/hooks?x=1`;
    await newProduct();
  });
  after(async () => {
    await server?.program.kill();
    receiver.closeAllConnections();
    receiver.close();
  });
  beforeEach(() => {
    received.length = 0;
  });

  const newProduct = async (): Promise<Json> =>
    (await server.client.post('/v1/products', { name: 'Tea', price: { amount: 450, currency: 'EUR' } })).body
      .data;

  /** Listens, and ends it with a signal. */
  const whileListening = async (words: readonly string[], work: () => Promise<unknown>, lines: number) => {
    const program = portico(['listen', ...words], { settings: { ...settings(), NO_COLOR: '1' } });
    try {
      await program.printed(/Waiting for events\./, { on: 'errors' });
      await work();
      await program.printed(new RegExp(`(.*\n){${lines}}`));
      program.signal('SIGINT');
      return await ending(program);
    } finally {
      await program.kill();
    }
  };

  it('shows each event that comes in a line, and ends with Ctrl-C', async () => {
    let product: Json;
    const change = async () => {
      product = await newProduct();
      await server.client.patch(`/v1/products/${product.id}`, { name: 'Green tea' });
    };
    const { code, output } = await whileListening([], change, 2);
    expect(code).to.equal(130);
    const [created, updated, ...others] = output.trimEnd().split('\n');
    expect(created).to.match(/^\d\d:\d\d:\d\d +\d+ {2}product\.created /);
    expect(created).to.include(`product ${product.id} version 1`);
    expect(updated).to.match(/ product\.updated .* version 2 {2}name$/);
    expect(others).to.deep.equal([]);
  });

  it('forwards events that verify with the secret that it shows, and shows the response', async () => {
    const { output, errors } = await whileListening(['--forward', url], newProduct, 1);
    expect(output).to.match(/ {2}204 in \d+ ms\n$/);
    const [, secret = ''] = /signed with the secret (whsec_\S+)\n/.exec(errors) ?? [];
    const [{ headers, body }] = received as [Received];
    const event = new Webhook(secret).verify(body, headers as Record<string, string>) as Json;
    const stored = (await server.client.get(`/v1/events/${event.id}`)).body.data;
    const { idempotency_key: _key, ...cause } = stored.cause;
    expect(event).to.deep.equal({ ...stored, cause: { ...cause, idempotency_key: null } });
    expect(headers['webhook-id']).to.equal(event.id);
  });

  it('shows the status of a failure, and goes on with the next event', async () => {
    status = 500;
    const { output } = await whileListening(
      ['--forward', url, '--types', 'product.created,order.*'],
      async () => {
        const { id } = await newProduct();
        await server.client.patch(`/v1/products/${id}`, { name: 'Green tea' });
        await newProduct();
      },
      2,
    );
    status = 204;
    expect(output.match(/product\.created .* 500 in/g)).to.have.length(2);
    expect(output).to.not.include('product.updated');
    expect(received).to.have.length(2);
  });

  it('prints JSON, and signs with a given secret', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const words = ['--json', '--forward', url, '--secret', secret];
    const { output, errors } = await whileListening(words, newProduct, 1);
    const [{ headers, body }] = received as [Received];
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).to.deep.equal(
      JSON.parse(output),
    );
    expect(errors).to.match(/product\.created: 204 in \d+ ms\n/);
  });

  it('says that it cannot see a database in memory', async () => {
    const { code, errors } = await runHere(['listen'], { DATABASE_URL: 'sqlite::memory:' });
    expect(code).to.equal(1);
    expect(errors).to.match(/^portico: DATABASE_URL must name /);
  });
});
