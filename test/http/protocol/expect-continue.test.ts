import { expect } from 'chai';
import { expectProblem } from '../support/protocol.ts';
import { describeServiceOnMemory } from '../support/service.ts';
import { credential, requestText, Wire } from '../support/wire.ts';

describeServiceOnMemory('A client that waits for 100 Continue', {}, (service) => {
  const body = '{"name":"Tea","price":{"amount":1,"currency":"EUR"}}';
  const json = 'Content-Type: application/json';
  const expectant = (line: string, headers: readonly string[]): string =>
    requestText(line, ['Expect: 100-Continue', ...headers]);

  it('gets it once the headers are valid, and the connection is kept', async () => {
    const wire = await Wire.open(service.url);
    const length = `Content-Length: ${body.length}`;
    for (const framing of [
      [length, body],
      ['Transfer-Encoding: chunked', `34\r\n${body}\r\n0\r\n\r\n`],
    ] as const) {
      const headers = [credential(service.operator), json, framing[0]];
      expect((await wire.write(expectant('POST /v1/products', headers)).answer()).status).to.equal(100);
      const created = await wire.write(framing[1]).answer();
      expect([created.status, created.headers.get('Connection')]).to.deep.equal([201, 'keep-alive']);
    }
    wire.destroy();
  });

  it('may send the body without waiting', async () => {
    const wire = await Wire.open(service.url);
    const headers = [credential(service.operator), json, `Content-Length: ${body.length}`];
    wire.write(expectant('POST /v1/products', headers) + body);
    expect((await wire.answer()).status).to.equal(100);
    const created = await wire.answer();
    expect([created.status, created.headers.get('Connection')]).to.deep.equal([201, 'keep-alive']);
    wire.destroy();
  });

  it('gets the response at once where the request has no body', async () => {
    const wire = await Wire.open(service.url);
    wire.write(expectant('GET /v1/products', [credential(service.operator)]));
    expect((await wire.answer()).status).to.equal(200);
    await wire.closed();
  });

  const cases: readonly (readonly [string, string, (operator: string) => readonly string[], string])[] = [
    ['no credential', 'POST /v1/products', () => [json, 'Content-Length: 10485760'], '401 UNAUTHORIZED'],
    [
      'no credential, in chunks',
      'POST /v1/products',
      () => [json, 'Transfer-Encoding: chunked'],
      '401 UNAUTHORIZED',
    ],
    ['an unknown path', 'POST /v1/nothing', (operator) => [operator, 'Content-Length: 9'], '404 NOT_FOUND'],
    [
      'an unsupported method',
      'PUT /v1/products',
      (operator) => [operator, 'Content-Length: 9'],
      '405 METHOD_NOT_ALLOWED',
    ],
    [
      'a media type',
      'POST /v1/products',
      (operator) => [operator, 'Content-Length: 9'],
      '415 UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'a compressed body',
      'POST /v1/products',
      (operator) => [operator, json, 'Content-Encoding: br', 'Content-Length: 9'],
      '415 UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'the announced length',
      'POST /v1/products',
      (operator) => [operator, json, 'Content-Length: 102401'],
      '413 PAYLOAD_TOO_LARGE',
    ],
    [
      'a body where none belongs',
      'DELETE /v1/products/01890000-0000-7000-8000-000000000000',
      (operator) => [operator, 'Content-Length: 9'],
      '404 PRODUCT_NOT_FOUND',
    ],
  ];
  for (const [what, line, headers, meaning] of cases) {
    it(`is rejected for ${what} without being asked for the body, and what it sends then is no request`, async () => {
      const wire = await Wire.open(service.url);
      wire.write(expectant(line, headers(credential(service.operator))));
      const answer = await wire.answer();
      expectProblem(answer, meaning);
      expect(answer.headers.get('Connection')).to.equal('close');
      wire.write(requestText('GET /v1/products', [credential(service.operator)]));
      await wire.closed();
    });
  }
});
