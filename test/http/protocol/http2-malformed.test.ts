import { expect } from 'chai';
import { operatorKey } from '../../bootstrap/support/server-settings.ts';
import { certificate, tls } from '../support/certificate.ts';
import { FrameWire, flags, frame, frameTypes, literal, string } from '../support/http2-frames.ts';
import { describeServiceOnMemory } from '../support/service.ts';
import { Session } from '../support/session.ts';

const body = Buffer.from('{"name":"Tea","price":{"amount":350,"currency":"EUR"}}');

describeServiceOnMemory('HTTP/2 with malformed headers', tls, (service) => {
  let wire: FrameWire;
  let count = 0;

  beforeEach(async () => {
    count = await countProducts();
    wire = await FrameWire.open(service.url, certificate.cert);
  });
  afterEach(() => wire.destroy());

  const countProducts = async (): Promise<number> => {
    const session = await Session.open(service.url, certificate.cert, operatorKey);
    const { body: page } = await session.ask('GET', '/v1/products?limit=100');
    session.close();
    return page.data.length;
  };

  const post = [
    literal(':method', 'POST'),
    literal(':scheme', 'https'),
    literal(':path', '/v1/products'),
    literal(':authority', 'shop.test'),
    literal('authorization', `Bearer ${operatorKey}`),
    literal('content-type', 'application/json'),
  ];
  const headers = (stream: number, fields: readonly Uint8Array[], more = 0): Buffer =>
    frame(frameTypes.headers, flags.endHeaders | more, stream, Buffer.concat(fields));
  const data = (stream: number): Buffer => frame(frameTypes.data, flags.endStream, stream, body);

  const expectReset = async (stream: number): Promise<void> => {
    const answer = await wire.answer(stream);
    expect(answer).to.include({ type: frameTypes.reset });
    expect(answer?.payload.readUInt32BE(0)).to.equal(1);
  };
  const expectCreated = async (stream: number): Promise<void> => {
    const answer = await wire.answer(stream);
    expect(answer).to.include({ type: frameTypes.headers });
    count += 1;
    expect(await countProducts()).to.equal(count);
  };

  it('accepts a request that is not malformed', async () => {
    wire.write(headers(1, [...post, literal('idempotency-key', 'sound')]), data(1));
    await expectCreated(1);
  });

  for (const [what, field] of Object.entries({
    'NUL in a value': literal('idempotency-key', 'key\0'),
    'LF in a value': literal('idempotency-key', 'key\n1'),
    'CR LF in a value': literal('idempotency-key', 'key\r\nx: y'),
    'CR at the start of a value': literal('idempotency-key', '\rkey'),
    'a control character in a value': literal('idempotency-key', 'key\x1b'),
    'DEL in a value': literal('if-match', '"1"\x7f'),
    'NUL in a value that is never indexed': literal('if-none-match', '*\0', 'never'),
    'NUL in a value that is indexed': literal('idempotency-key', 'key\0', 'with'),
    'NUL in a value of Huffman codes': Buffer.concat([
      Buffer.from([0]),
      string(Buffer.from('idempotency-key')),
      // `0`, `1`, NUL, and padding: 00000 00001 1111111111000 1.
      string(Buffer.from([0x00, 0x7f, 0xf1]), true),
    ]),
    'LF in a value of Huffman codes': Buffer.concat([
      Buffer.from([0]),
      string(Buffer.from('idempotency-key')),
      // LF, and padding.
      string(Buffer.from([0xff, 0xff, 0xff, 0xf3]), true),
    ]),
    'NUL in a value whose name is in the static table': Buffer.concat([
      // `if-match` is entry 39.
      Buffer.from([0x0f, 39 - 15]),
      string(Buffer.from('"1"\0')),
    ]),
    'NUL in a long value': literal('idempotency-key', `${'k'.repeat(3_000)}\0`),
    'NUL in a cookie': literal('cookie', 'a=b\0'),
    'NUL in a pseudo-header': literal(':protocol', 'a\0'),
    'NUL in a name': literal('idempotency-key\0', 'key'),
    'a space in a name': literal('idempotency-key ', 'key'),
    'a colon in a name': literal('idempotency-key:', 'key'),
    'an empty name': literal('', 'key'),
    'upper case in a name': literal('Idempotency-Key', 'key'),
    'a host that is none': literal('host', 'shop .test'),
    'another path': literal(':path', '/v1/users'),
    'an unknown pseudo-header': literal(':key', 'key'),
  })) {
    it(`resets a stream with a malformed header, and carries out nothing (${what})`, async () => {
      wire.write(headers(1, [...post, field]), data(1));
      await expectReset(1);
      expect(await countProducts()).to.equal(count);
    });
  }

  it('resets only that stream', async () => {
    wire.write(headers(1, [...post, literal('idempotency-key', 'a\0')]), data(1));
    wire.write(headers(3, [...post, literal('idempotency-key', 'b')]), data(3));
    await expectReset(1);
    await expectCreated(3);
  });

  it('resets a stream that refers to a malformed header of an earlier one', async () => {
    wire.write(headers(1, [...post, literal('idempotency-key', 'a\0', 'with')]), data(1));
    await expectReset(1);
    // The newest entry of the dynamic table.
    wire.write(headers(3, [...post, Buffer.from([0x80 | 62])]), data(3));
    await expectReset(3);
    expect(await countProducts()).to.equal(count);
  });

  it('finds it in a block of several frames, with padding and a priority', async () => {
    const block = Buffer.concat([...post, literal('idempotency-key', 'a\0')]);
    const [first, second, third] = [block.subarray(0, 20), block.subarray(20, 60), block.subarray(60)];
    const padded = Buffer.concat([Buffer.from([3]), Buffer.from([0, 0, 0, 0, 15]), first, Buffer.alloc(3)]);
    wire.write(
      frame(frameTypes.headers, flags.padded | flags.priority, 1, padded),
      frame(frameTypes.continuation, 0, 1, second),
      frame(frameTypes.continuation, flags.endHeaders, 1, third),
      data(1),
    );
    await expectReset(1);
    expect(await countProducts()).to.equal(count);
  });

  it('accepts a sound block of several frames, with padding and a priority', async () => {
    const block = Buffer.concat([...post, literal('idempotency-key', 'several')]);
    const padded = Buffer.concat([
      Buffer.from([3]),
      Buffer.from([0, 0, 0, 0, 15]),
      block.subarray(0, 20),
      Buffer.alloc(3),
    ]);
    wire.write(
      frame(frameTypes.headers, flags.padded | flags.priority, 1, padded),
      frame(frameTypes.continuation, 0, 1, block.subarray(20, 60)),
      frame(frameTypes.continuation, flags.endHeaders, 1, block.subarray(60)),
      data(1),
    );
    await expectCreated(1);
  });

  it('finds it however the bytes are split', async () => {
    const bytes = Buffer.concat([headers(1, [...post, literal('idempotency-key', 'a\0')]), data(1)]);
    for (const byte of bytes) {
      wire.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await expectReset(1);
    expect(await countProducts()).to.equal(count);
  });

  it('resets a stream with a malformed trailer, and carries out nothing', async () => {
    wire.write(headers(1, post), frame(frameTypes.data, 0, 1, body));
    wire.write(headers(1, [literal('x-checksum', 'a\0')], flags.endStream));
    await expectReset(1);
    expect(await countProducts()).to.equal(count);
  });

  it('accepts every byte that a value may have, also in Huffman codes', async () => {
    const session = await Session.open(service.url, certificate.cert, operatorKey);
    const codes = [
      0x09,
      ...Array.from({ length: 256 }, (_, code) => code).filter((code) => code >= 0x20 && code !== 0x7f),
    ];
    const ask = async (code: number) => {
      // The letters make Huffman codes shorter than the bytes.
      const value = `${'a'.repeat(60)}${String.fromCharCode(code)}e`;
      return {
        code,
        status: (await session.ask('GET', '/v1/products?limit=1', undefined, { 'x-any': value })).status,
      };
    };
    for (const { code, status } of await Promise.all(codes.map(ask))) expect(status, `${code}`).to.equal(200);
    session.close();
  });

  for (const key of [' spaced', 'spaced ', '\tspaced']) {
    it(`does not go on without a key that it rejects (${JSON.stringify(key)})`, async () => {
      wire.write(headers(1, [...post, literal('idempotency-key', key)]), data(1));
      wire.write(headers(3, [...post, literal('idempotency-key', key)]), data(3));
      expect(await wire.answer(1)).to.include({ type: frameTypes.headers });
      expect(await wire.answer(3)).to.include({ type: frameTypes.headers });
      // Rejected, or carried out once.
      expect(await countProducts()).to.be.within(count, count + 1);
    });
  }
});
