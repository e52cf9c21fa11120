import { expect } from 'chai';
import { endOfTurn } from '#adapters/support/time.ts';
import { expectProblem } from '../support/protocol.ts';
import { describeServiceInSimulatedTime } from '../support/service.ts';
import { credential, jsonText, requestText, Wire } from '../support/wire.ts';

describeServiceInSimulatedTime('A connection', {}, (service) => {
  const get = (path: string, headers: readonly string[] = []): string =>
    requestText(`GET ${path}`, [credential(service.operator), ...headers]);
  const create = (name: string): string =>
    jsonText(
      'POST /v1/products',
      [credential(service.operator)],
      JSON.stringify({ name, price: { amount: 1, currency: 'EUR' } }),
    );

  it('is kept alive after every status', async () => {
    const wire = await Wire.open(service.url);
    for (const [bytes, status] of [
      [get('/v1/products'), 200],
      [get('/products'), 307],
      [get('/v1/nothing'), 404],
      [requestText('GET /v1/products'), 401],
      [jsonText('POST /v1/products', [credential(service.operator)], '{'), 400],
      [requestText('OPTIONS /v1/products'), 204],
      [get('/v1/products'), 200],
    ] as const) {
      const response = await wire.write(bytes).answer();
      expect(response.status).to.equal(status);
      expect(response.headers.get('Connection')).to.equal('keep-alive');
    }
    wire.destroy();
  });

  it('carries the responses of pipelined requests in the order of the requests', async () => {
    const wire = await Wire.open(service.url);
    const ids = Array.from({ length: 50 }, (_, place) => `request-${place}`);
    const requests = ids.map((id, place) =>
      get(place % 2 ? '/v1/products' : '/none', [`X-Request-Id: ${id}`]),
    );
    wire.write(requests.join(''));
    for (const id of ids) expect((await wire.answer()).headers.get('X-Request-Id')).to.equal(id);
    wire.destroy();
  });

  for (const [what, bytes, meaning] of [
    ['nonsense', 'nonsense\r\n\r\n', '400 BAD_REQUEST'],
    ['an unknown expectation', requestText('GET /v1/products', ['Expect: x']), '417 BAD_REQUEST'],
    ['CONNECT', requestText('CONNECT a.test:1', []), '405 METHOD_NOT_ALLOWED'],
    ['headers without end', requestText('GET /', [`X: ${'a'.repeat(20_000)}`]), '431 BAD_REQUEST'],
    [
      'a body of broken chunks',
      requestText(
        'POST /v1/products',
        ['Content-Type: application/json', 'Transfer-Encoding: chunked'],
        'zz\r\n',
      ),
      '401 UNAUTHORIZED',
    ],
  ] as const) {
    it(`carries the rejection of ${what} after the responses to earlier requests, and closes`, async () => {
      const wire = await Wire.open(service.url);
      wire.write(create('First') + create('Second') + bytes);
      const [first, second] = [await wire.answer(), await wire.answer()];
      expect([first.status, second.status]).to.deep.equal([201, 201]);
      expect([first.body.data.name, second.body.data.name]).to.deep.equal(['First', 'Second']);
      const last = await wire.answer();
      if (meaning !== '401 UNAUTHORIZED') expectProblem(last, meaning);
      else expect(last.status).to.be.oneOf([400, 401]);
      await wire.closed();
    });
  }

  it('ignores requests that follow a parser error', async () => {
    const wire = await Wire.open(service.url);
    wire.write(`nonsense\r\n\r\n${create('Smuggled')}`);
    expectProblem(await wire.answer(), '400 BAD_REQUEST');
    await wire.closed();
    const { body } = await service.operator.get('/v1/products?limit=100');
    expect(body.data.map(({ name }: { readonly name: string }) => name)).not.to.include('Smuggled');
  });

  for (const [what, framing, body] of [
    ['a length', 'Content-Length: 180000', ' '.repeat(180_000)],
    ['three large chunks', 'Transfer-Encoding: chunked', `${chunk(60_000).repeat(3)}0\r\n\r\n`],
    ['many small chunks', 'Transfer-Encoding: chunked', `${chunk(500).repeat(360)}0\r\n\r\n`],
  ] as const) {
    it(`carries out no request that follows a body that is too large, with ${what}`, async () => {
      const tooLarge = requestText(
        'POST /v1/products',
        [credential(service.operator), 'Content-Type: application/json', framing],
        body,
      );
      for (let time = 0; time < 10; time++) {
        const wire = await Wire.open(service.url);
        wire.write(tooLarge + create('Behind a large body'));
        expectProblem(await wire.answer(), '413 PAYLOAD_TOO_LARGE');
        await wire.closed();
      }
      const { text } = await service.operator.get('/v1/products?limit=100');
      expect(text).not.to.include('Behind a large body');
    });
  }

  it('treats the bytes after a body as the next request, and never the bytes of the body', async () => {
    const wire = await Wire.open(service.url);
    const inner = requestText('DELETE /v1/products', [credential(service.operator)]);
    wire.write(jsonText('POST /v1/products', [credential(service.operator)], JSON.stringify(inner)));
    expectProblem(await wire.answer(), '422 VALIDATION_ERROR');
    expect((await wire.write(get('/v1/products')).answer()).status).to.equal(200);
    wire.destroy();
  });

  it('gets 400 when the client closes it in the middle of a body', async () => {
    const wire = await Wire.open(service.url);
    wire.write(create('Cut').slice(0, -5)).end();
    expectProblem(await wire.answer(), '400 BAD_REQUEST');
    await wire.closed();
  });

  it('may be reset at any byte without effect on other connections', async () => {
    const bytes = create('Broken off');
    for (let length = 1; length < bytes.length; length += 9) {
      const wire = await Wire.open(service.url);
      wire.write(bytes.slice(0, length));
      if (length % 2) await endOfTurn();
      wire.reset();
    }
    for (const method of ['CONNECT a.test:1', 'GET /v1/products']) {
      const wire = await Wire.open(service.url);
      wire.write(requestText(method, ['Expect: x']).repeat(3));
      wire.reset();
    }
    for (let turn = 0; turn < 50; turn += 1) await endOfTurn();
    const response = await service.operator.get('/v1/products?limit=100');
    expect(response.status).to.equal(200);
    expect(response.text).not.to.include('Broken off');
  });

  it('is destroyed when the client keeps sending after a rejection', async () => {
    const wire = await Wire.open(service.url);
    expectProblem(await wire.write('nonsense\r\n\r\n').answer(), '400 BAD_REQUEST');
    const sending = setInterval(() => wire.write('and so on\r\n'), 20);
    await service.time.during(wire.gone());
    clearInterval(sending);
  });
});

/** One chunk of spaces, as `Transfer-Encoding: chunked` frames it. */
function chunk(bytes: number): string {
  return `${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n`;
}
