import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { expectProblem } from '../support/protocol.ts';
import { describeServiceOnMemory } from '../support/service.ts';
import { tea } from '../support/shop.ts';
import { credential, requestText, Wire } from '../support/wire.ts';

const bytes = (...values: readonly number[]) => new Uint8Array(values);
const around = (...values: readonly number[]) =>
  new Uint8Array([...Buffer.from('{"name":"'), ...values, ...Buffer.from('"}')]);

/** An object nested to this depth. */
const nested = (depth: number): string => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;

/** A valid body, padded with spaces to this length. */
const ofLength = (length: number): string => {
  const body = JSON.stringify({ ...tea, description: '' });
  return body + ' '.repeat(length - body.length);
};

const notJson: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>> = {
  'is empty': '',
  'is white space': ' \n',
  'stops halfway': '{"name":"Tea"',
  'continues after its end': '{} {}',
  'is a word': 'tea',
  'is NaN': 'NaN',
  'has single quotes': "{'name':'Tea'}",
  'has a comma too many': '{"name":"Tea",}',
  'has a comment': '{/* */}',
  'has a raw line break in text': '{"name":"a\nb"}',
  'has a broken escape': '{"name":"\\x41"}',
  'has a number with a leading zero': '{"name":01}',
  'is a form': 'name=Tea&price=1',
  'is invalid UTF-8': around(0xff),
  'has UTF-8 cut short': around(0xe2, 0x82),
  'has an overlong character': around(0xc0, 0xaf),
  'has half of a surrogate pair in UTF-8': around(0xed, 0xa0, 0x80),
  'has a character beyond Unicode': around(0xf4, 0x90, 0x80, 0x80),
  'is latin1': around(0xe9),
  'is UTF-16': new Uint8Array(Buffer.from('\ufeff{}', 'utf16le')),
  'is gzip and does not say so': new Uint8Array(gzipSync('{}')),
  'is NUL': bytes(0),
  'has two byte order marks': '\ufeff\ufeff{}',
};

describeServiceOnMemory('A body', {}, (service) => {
  for (const [what, body] of Object.entries(notJson)) {
    it(`that ${what} is rejected with 400 and a message of Portico, not of the JSON parser`, async () => {
      const response = await service.operator.post('/v1/products', body);
      expectProblem(response, '400 BAD_REQUEST');
      expect(response.body.error.message).to.match(/^The body /);
    });
  }

  for (const [what, body] of Object.entries({
    null: 'null',
    'a list': '[{"name":"Tea"}]',
    'a string': '"Tea"',
    'a number': '1',
    'a boolean': 'true',
  })) {
    it(`that is ${what} is rejected with 422`, async () => {
      expectProblem(await service.operator.post('/v1/products', body), '422 VALIDATION_ERROR');
    });
  }

  for (const body of [
    '{"name":"a","name":"a"}',
    '{"name":"a","\\u006eame":"b"}',
    '{"price":{"amount":1,"amount":2}}',
    '{"x":[{"a":1,"b":{"c":1,"c":1}}]}',
    '{"":1,"":1}',
    '{"__proto__":1,"__proto__":1}',
    '{"a\\"":1,"a\\u0022":2}',
    '{"\\ud83d\\ude00":1,"😀":2}',
  ]) {
    it(`with a duplicate name in one object is rejected with 400: ${body}`, async () => {
      expectProblem(await service.operator.post('/v1/products', body), '400 BAD_REQUEST');
    });
  }

  it('with the same name in two objects, or inside of strings, has no duplicate name', async () => {
    const body = '{"a":{"name":1},"b":{"name":1},"name":"\\"name\\":\\"name\\":{[,","c":["a:b"]}';
    expectProblem(await service.operator.post('/v1/products', body), '422 VALIDATION_ERROR', [
      'a',
      'b',
      'c',
      'price',
    ]);
  });

  it('may be nested up to 32 deep, and is rejected with 400 beyond', async () => {
    const answerTo = (body: string) => service.operator.post('/v1/products', body);
    expectProblem(await answerTo(nested(32)), '422 VALIDATION_ERROR');
    expectProblem(await answerTo(nested(33)), '400 BAD_REQUEST');
    expectProblem(await answerTo(nested(5_000)), '400 BAD_REQUEST');
    expectProblem(await answerTo('['.repeat(5_000) + ']'.repeat(5_000)), '400 BAD_REQUEST');
    expectProblem(await answerTo('['.repeat(100_000)), '400 BAD_REQUEST');
  });

  for (const name of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
    it(`with the field ${name} is rejected, and pollutes no prototype`, async () => {
      const body = `{"name":"Tea","${name}":{"price":{"amount":1,"currency":"EUR"},"isAdmin":true}}`;
      const response = await service.operator.post('/v1/products', body);
      expectProblem(response, '422 VALIDATION_ERROR', [name, 'price']);
      expect(Object.hasOwn(Object.prototype, 'isAdmin')).to.equal(false);
    });
  }

  it('may begin with a byte order mark', async () => {
    const response = await service.operator.post('/v1/products', `\ufeff${JSON.stringify(tea)}`);
    expect(response.status).to.equal(201);
    expect(response.body.data.name).to.equal('Tea');
  });

  it('may have up to 100 KiB, and is rejected with 413 beyond', async () => {
    expect((await service.operator.post('/v1/products', ofLength(102_399))).status).to.equal(201);
    expect((await service.operator.post('/v1/products', ofLength(102_400))).status).to.equal(201);
    expectProblem(await service.operator.post('/v1/products', ofLength(102_401)), '413 PAYLOAD_TOO_LARGE');
  });

  it('in chunks has the same limit', async () => {
    for (const [length, status] of [
      [102_400, 201],
      [102_401, 413],
    ] as const) {
      const wire = await Wire.open(service.url);
      const headers = [
        credential(service.operator),
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
      ];
      wire.write(requestText('POST /v1/products', headers));
      const body = ofLength(length);
      for (let place = 0; place < length; place += 10_000) {
        const chunk = body.slice(place, place + 10_000);
        wire.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
      }
      expect((await wire.write('0\r\n\r\n').answer()).status).to.equal(status);
      wire.destroy();
    }
  });

  it('of many megabytes is rejected before it is read, and the sending client receives the 413', async () => {
    for (let time = 0; time < 5; time += 1) {
      const wire = await Wire.open(service.url);
      const length = 20_000_000;
      const headers = [
        credential(service.operator),
        'Content-Type: application/json',
        `Content-Length: ${length}`,
      ];
      wire.write(requestText('POST /v1/products', headers)).write(new Uint8Array(length).fill(0x20));
      const response = await wire.answer();
      expectProblem(response, '413 PAYLOAD_TOO_LARGE');
      expect(response.headers.get('Connection')).to.equal('close');
      await wire.closed();
    }
  });

  for (const [encoding, body] of Object.entries({
    gzip: gzipSync(JSON.stringify(tea)),
    'GZIP ': gzipSync('{').subarray(0, 10),
    deflate: Buffer.from('{}'),
    br: Buffer.from('{}'),
    'identity, gzip': Buffer.from('{}'),
    'x-anything': Buffer.from('{}'),
  })) {
    it(`compressed with ${encoding} is rejected with 415`, async () => {
      const response = await service.operator.post('/v1/products', new Uint8Array(body), {
        'Content-Encoding': encoding,
      });
      expectProblem(response, '415 UNSUPPORTED_MEDIA_TYPE');
    });
  }

  it('may declare Content-Encoding: identity', async () => {
    const response = await service.operator.post('/v1/products', tea, { 'Content-Encoding': 'Identity' });
    expect(response.status).to.equal(201);
  });
});
