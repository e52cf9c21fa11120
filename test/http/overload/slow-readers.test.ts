import { once } from 'node:events';
import { constants } from 'node:http2';
import { expect } from 'chai';
import { ofEachTest } from '../../support/of-each-test.ts';
import { certificate } from '../support/certificate.ts';
import { LimitedServer } from '../support/limited-server.ts';
import { Session } from '../support/session.ts';

describe('A client that does not read its responses (slow reader)', () => {
  const server = ofEachTest(() => new LimitedServer());

  const open = (): Promise<Session> =>
    Session.open(server.url, certificate.cert, 'a-token', { initialWindowSize: 0 });

  it('does not hold a place among the requests in flight, and is disconnected after six seconds without progress on HTTP/2', async () => {
    await server.start({ isSecure: true });
    const slowReader = await open();
    const streams = Array.from({ length: 20 }, () => slowReader.begin('GET', '/body'));
    await Promise.all(streams.map((stream) => once(stream, 'response')));
    const session = await Session.open(server.url, certificate.cert, 'a-token');
    expect((await session.ask('GET', '/body')).text).to.equal('text');
    // The first check finds the session, five more find that it makes no progress: one a second.
    const [, milliseconds] = await server.time.during(slowReader.closed);
    expect(milliseconds).to.be.within(4_900, 7_000);
    expect((await session.ask('GET', '/body')).text).to.equal('text');
    session.close();
  });

  it('gets a single response on HTTP/2 cancelled that it has not read at thirty checks', async () => {
    await server.start({ isSecure: true });
    const session = await open();
    const stream = session.begin('GET', '/body');
    await once(stream, 'response');
    const [, milliseconds] = await server.time.during(once(stream, 'close'), 50);
    expect(milliseconds).to.be.within(29_900, 32_000);
    expect(stream.rstCode).to.equal(constants.NGHTTP2_CANCEL);
    session.close();
  });

  it('ends a session of a slow reader that has got only rejections', async () => {
    await server.start({ isSecure: true, maxInFlight: 0 });
    const slowReader = await open();
    for (let count = 0; count < 20; count += 1) {
      const tunnel = { ':authority': 'a.test:1', ':path': undefined };
      const stream = count % 2 ? slowReader.begin('GET', '/body') : slowReader.begin('CONNECT', '', tunnel);
      await once(stream, 'response');
    }
    await server.time.during(slowReader.closed);
  });
});
