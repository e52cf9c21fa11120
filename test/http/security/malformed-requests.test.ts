import { expect } from 'chai';
import { expectProblem } from '../support/protocol.ts';
import { describeServiceOnMemory } from '../support/service.ts';
import { credential, errorOnTheWire, requestText, Wire } from '../support/wire.ts';

const chunked = 'Transfer-Encoding: chunked';
const post = (headers: readonly string[], body = ''): string =>
  requestText('POST /v1/products', ['Content-Type: application/json', ...headers], body);

/** Requests that are not HTTP, or are ambiguous (request smuggling). */
const broken: Readonly<Record<string, string>> = {
  nonsense: 'nonsense\r\n\r\n',
  'a request line without a path': 'GET HTTP/1.1\r\nHost: a\r\n\r\n',
  'a path that does not begin with a slash': 'GET v1/products HTTP/1.1\r\nHost: a\r\n\r\n',
  'a path with a space in it': requestText('GET /v1/a b'),
  'a path with a control character in it': requestText('GET /v1/\x01'),
  'a path with NUL in it': requestText('GET /v1/\0'),
  'a path with a raw byte beyond ASCII': requestText('GET /v1/caf\xe9'),
  'a fragment': requestText('GET /v1/products#top'),
  'a backslash and a fragment': requestText('GET /\\evil.example#top'),
  'an unknown method': requestText('FROBNICATE /v1/products'),
  'a method in lower case': requestText('get /v1/products'),
  'no version of HTTP': 'GET /v1/products\r\n\r\n',
  'HTTP/2 on a plain connection': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'another version of HTTP': 'GET /v1/products HTTP/2.0\r\nHost: a\r\n\r\n',
  'a version of HTTP that there is not': 'GET /v1/products HTTP/1.2\r\nHost: a\r\n\r\n',
  'no Host': 'GET /v1/products HTTP/1.1\r\n\r\n',
  'two Hosts': requestText('GET /v1/products', ['Host: portico.test']),
  ...Object.fromEntries(
    [
      'a b',
      'user@x',
      'x/v1',
      'x?y',
      'x#y',
      'x:port',
      'x:1:2',
      'x:123456',
      '[::1',
      '::1',
      '[x]',
      'caf\xe9.test',
      '%zz',
      'http://x',
    ].map((host) => [`the Host ${host}`, `GET /v1/products HTTP/1.1\r\nHost: ${host}\r\n\r\n`]),
  ),
  'two Authorization headers': requestText('GET /v1/products', ['Authorization: a', 'authorization: b']),
  'two Idempotency-Key headers': post(['Idempotency-Key: a', 'IDEMPOTENCY-KEY: a']),
  'a header line that goes on in the next': requestText('GET /v1/products', ['X-A: b', ' c']),
  'a header line that begins with a tab': requestText('GET /v1/products', ['X-A: b', '\tc']),
  'bare line feeds': 'GET /v1/products HTTP/1.1\nHost: a\n\n',
  'one bare line feed between headers': 'GET /v1/products HTTP/1.1\r\nHost: a\nX-A: b\r\n\r\n',
  'a bare carriage return in a header': requestText('GET /v1/products', ['X-A: b\rc']),
  'NUL in a header': requestText('GET /v1/products', ['X-A: b\0c']),
  'NUL in the name of a header': post(['Idempotency-Key\0: a']),
  ...Object.fromEntries(
    Object.entries({
      NUL: 'a\0',
      'a bare carriage return': 'a\rb',
      'a bare carriage return at its start': '\ra',
      'a control character': 'a\x1b',
      DEL: 'a\x7f',
    }).map(([what, key]) => [`${what} in an idempotency key`, post([`Idempotency-Key: ${key}`], '{}')]),
  ),
  'a space before a colon': requestText('GET /v1/products', ['X-A : b']),
  'a header without a name': requestText('GET /v1/products', [': b']),
  'a header without a colon': requestText('GET /v1/products', ['X-A']),
  'a length and chunks': post(['Content-Length: 4', chunked], '0\r\n\r\n'),
  'chunks and a length': post([chunked, 'Content-Length: 4'], '0\r\n\r\n'),
  'two lengths': post(['Content-Length: 4', 'Content-Length: 5'], '{}  '),
  'the same length twice': post(['Content-Length: 2', 'Content-Length: 2'], '{}'),
  'a list of lengths': post(['Content-Length: 2, 2'], '{}'),
  'a negative length': post(['Content-Length: -1'], '{}'),
  'a length with a sign': post(['Content-Length: +2'], '{}'),
  'a length in hexadecimal': post(['Content-Length: 0x2'], '{}'),
  'a length beyond all numbers': post([`Content-Length: ${'9'.repeat(30)}`], '{}'),
  'an encoding that does not end in chunks': post(['Transfer-Encoding: gzip'], '{}'),
  'another encoding within chunks': post(['Transfer-Encoding: gzip, chunked'], '2\r\n{}\r\n0\r\n\r\n'),
  'chunks twice': post(['Transfer-Encoding: chunked, chunked'], '2\r\n{}\r\n0\r\n\r\n'),
  'what only looks like chunks': post(['Transfer-Encoding: xchunked'], '{}'),
};

/** Bodies whose framing is found to be invalid only when they are read. */
const brokenBodies: Readonly<Record<string, string>> = {
  'a chunk of no size': 'zz\r\n{}\r\n0\r\n\r\n',
  'a chunk of a negative size': '-2\r\n{}\r\n0\r\n\r\n',
  'a chunk of more bytes than there are numbers': `${'f'.repeat(20)}\r\n{}`,
  'a chunk that is longer than it says': '1\r\n{}\r\n0\r\n\r\n',
  'chunks with bare line feeds': '2\n{}\n0\n\n',
  'a chunk extension of 20 KB': `2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
};

describeServiceOnMemory('A malformed request', {}, (service) => {
  for (const [what, bytes] of Object.entries(broken)) {
    it(`${what} is rejected with the error envelope, and the connection closed`, async () => {
      const answer = await errorOnTheWire(service.url, bytes);
      expectProblem(answer, '400 BAD_REQUEST');
      expect(answer.headers.get('Connection')).to.equal('close');
    });
  }

  for (const host of [
    '',
    'portico.test',
    'portico.test:',
    'portico.test:8080',
    'under_score',
    '127.0.0.1:1',
    '[::1]:8080',
    'xn--caf-dma.test',
    'caf%C3%A9.test',
  ]) {
    it(`the Host “${host}” is accepted`, async () => {
      const wire = await Wire.open(service.url);
      wire.write(`GET /v1/products HTTP/1.1\r\nHost: ${host}\r\n${credential(service.operator)}\r\n\r\n`);
      expect((await wire.answer()).status).to.equal(200);
      wire.destroy();
    });
  }

  for (const [what, body] of Object.entries(brokenBodies)) {
    it(`${what} is rejected with the error envelope, and the connection closed`, async () => {
      const headers = [credential(service.operator), chunked, 'X-Request-Id: mine'];
      const answer = await errorOnTheWire(service.url, post(headers, body));
      expectProblem(answer, '400 BAD_REQUEST');
      expect(answer.body.request_id).to.equal('mine');
    });

    it(`${what} closes the connection of an unauthenticated client too`, async () => {
      const { status } = await errorOnTheWire(service.url, post([chunked], body));
      expect(status).to.be.oneOf([400, 401]);
    });
  }

  for (const [what, bytes] of Object.entries({
    'a header of 17 KB': requestText('GET /v1/products', [`X-A: ${'a'.repeat(17_000)}`]),
    'a header of 5 MB': requestText('GET /v1/products', [`X-A: ${'a'.repeat(5_000_000)}`]),
    'an address of 17 KB': requestText(`GET /v1/${'a'.repeat(17_000)}`),
    'ten thousand headers': requestText('GET /v1/products', new Array<string>(10_000).fill('X: y')),
  })) {
    it(`${what} gets 431, and the connection is closed`, async () => {
      expectProblem(await errorOnTheWire(service.url, bytes), '431 BAD_REQUEST');
    });
  }

  it('headers of almost 16 KB are accepted', async () => {
    const answer = await service.operator.get('/v1/products', { 'X-A': 'a'.repeat(15_000) });
    expect(answer.status).to.equal(200);
  });

  for (const expectation of ['a-miracle', '200-ok', '']) {
    it(`the expectation “${expectation}” gets 417`, async () => {
      const headers = [`Expect: ${expectation}`, 'X-Request-Id: mine'];
      const answer = await errorOnTheWire(service.url, requestText('GET /v1/products', headers));
      expectProblem(answer, '417 BAD_REQUEST');
      expect(answer.body.request_id).to.equal('mine');
    });
  }

  it('HTTP/1.0 is served, and its connection closed', async () => {
    const bytes = `GET /v1/products HTTP/1.0\r\n${credential(service.operator)}\r\n\r\n`;
    expect((await errorOnTheWire(service.url, bytes)).status).to.equal(200);
  });

  it('an upgrade is ignored, and the connection closed', async () => {
    for (const to of ['h2c', 'websocket']) {
      const headers = [credential(service.operator), 'Connection: Upgrade', `Upgrade: ${to}`];
      const response = await errorOnTheWire(service.url, requestText('GET /v1/products', headers));
      expect([response.status, response.headers.get('Connection')]).to.deep.equal([200, 'close']);
    }
  });

  it('small chunks, an extension and a trailer are valid', async () => {
    const wire = await Wire.open(service.url);
    const head = post([credential(service.operator), chunked, 'Trailer: X-Sum']);
    for (const byte of `${head}1;a=b\r\n{\r\n1\r\n}\r\n0\r\nX-Sum: 1\r\n\r\n`) wire.write(byte);
    expectProblem(await wire.answer(), '422 VALIDATION_ERROR', ['name', 'price']);
    wire.destroy();
  });
});
