import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { endOfTurn } from '#adapters/support/time.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';
import { certificate, tls } from '../support/certificate.ts';
import { requestText, Wire } from '../support/wire.ts';
import { Listening, path } from './listening.ts';

const limit = 256 * 1024;

describe('The body of an event of the payment provider', () => {
  let listening: Listening;
  before(async () => {
    listening = await Listening.open();
  });
  after(() => listening.close());
  beforeEach(() => listening.received.splice(0));

  const head = (...headers: readonly string[]) => requestText(`POST ${path}`, headers);

  it('has at most 256 KiB', async () => {
    expect((await listening.post('a'.repeat(limit))).status).to.equal(204);
    expect(listening.received[0]?.body).to.have.lengthOf(limit);
    const response = await listening.post('a'.repeat(limit + 1));
    expect(response.status).to.equal(413);
    expect(await response.text()).to.equal('The body must have at most 256 KiB.\n');
    expect(listening.received).to.have.lengthOf(1);
    expect(await listening.count('too_large')).to.equal(1);
  });

  it('is rejected unread when its length is announced, and no further than the limit otherwise', async () => {
    const announced = await Wire.open(listening.url);
    expect((await announced.write(head(`Content-Length: ${limit + 1}`)).answer()).status).to.equal(413);
    await announced.closed();
    const chunked = await Wire.open(listening.url);
    const chunk = `${(64 * 1024).toString(16)}\r\n${'a'.repeat(64 * 1024)}\r\n`;
    chunked.write(head('Transfer-Encoding: chunked'));
    for (let sent = 0; sent < 4; sent += 1) chunked.write(chunk);
    chunked.write('1\r\na\r\n');
    expect((await chunked.answer()).status).to.equal(413);
    await chunked.closed();
    expect(listening.received).to.deep.equal([]);
  });

  it('is asked for only when the headers allow it', async () => {
    const asked = await Wire.open(listening.url);
    asked.write(head('Content-Length: 2', 'Expect: 100-continue'));
    expect((await asked.answer()).status).to.equal(100);
    expect((await asked.write('{}').answer()).status).to.equal(204);
    asked.destroy();
    for (const [headers, status] of [
      [[`Content-Length: ${limit + 1}`], 413],
      [['Content-Length: 2', 'Content-Encoding: gzip'], 415],
    ] as const) {
      const wire = await Wire.open(listening.url);
      expect((await wire.write(head(...headers, 'Expect: 100-continue')).answer()).status).to.equal(status);
      wire.destroy();
    }
  });

  it('is never decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(4 * 1024 * 1024));
    expect(bomb.length).to.be.lessThan(limit);
    for (const encoding of ['gzip', 'deflate', 'br', 'gzip, identity', 'x'])
      expect((await listening.post(bomb, { 'Content-Encoding': encoding })).status).to.equal(415);
    expect(listening.received).to.deep.equal([]);
    expect((await listening.post(bomb)).status).to.equal(204);
    expect(listening.received[0]?.body).to.have.lengthOf(bomb.length);
  });

  it('has to arrive in time, or the response is 408', async () => {
    const time = new SimulatedTime();
    const impatient = await Listening.open({ REQUEST_TIMEOUT_MS: '10000' });
    try {
      const wire = await Wire.open(impatient.url);
      // The interim response shows that the body is being read.
      const asked = wire.write(head('Content-Length: 10', 'Expect: 100-continue')).answer();
      expect((await asked).status).to.equal(100);
      wire.write('{');
      time.reach(9_999);
      await endOfTurn();
      expect(await impatient.count('incomplete')).to.equal(0);
      time.reach(1);
      await endOfTurn();
      expect(await impatient.count('incomplete')).to.equal(1);
      expect((await wire.answer()).status).to.equal(408);
      await wire.closed();
      expect(impatient.received).to.deep.equal([]);
    } finally {
      time.end();
      await impatient.close();
    }
  });

  it('is not an event when the connection ends within it', async () => {
    const before = await listening.count('incomplete');
    const wire = await Wire.open(listening.url);
    wire.write(requestText(`POST ${path}`, ['Content-Length: 10'], '{')).reset();
    while ((await listening.count('incomplete')) === before) await endOfTurn();
    expect(await listening.count('incomplete')).to.equal(before + 1);
    expect(listening.received).to.deep.equal([]);
  });

  it('is read over HTTPS, too, by the same limit', async () => {
    const secure = await Listening.open(tls);
    const wire = await Wire.open(secure.url, certificate.cert);
    expect((await wire.write(`${head('Content-Length: 2')}{}`).answer()).status).to.equal(204);
    expect(Buffer.from(secure.received[0]?.body ?? []).toString()).to.equal('{}');
    expect((await wire.write(head(`Content-Length: ${limit + 1}`)).answer()).status).to.equal(413);
    await wire.closed();
    await secure.close();
  });
});
