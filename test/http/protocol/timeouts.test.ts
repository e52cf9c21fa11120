import { Duplex } from 'node:stream';
import { expect } from 'chai';
import { createHttpServer } from '#adapters/http/server/create-server.ts';
import { destroyAfterLinger } from '#adapters/http/server/http1-connections.ts';
import { ofEachTest } from '../../support/of-each-test.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';
import { certificate } from '../support/certificate.ts';
import { LimitedServer } from '../support/limited-server.ts';
import { Session } from '../support/session.ts';

/** Node's own timers end these connections, which no simulated time reaches: `silent-peers.e2e.test.ts` waits for one of them. */
describe('The limits that Node has', () => {
  for (const [over, tls] of [
    ['HTTP', undefined],
    ['HTTPS', certificate],
  ] as const) {
    it(`over ${over} are ten seconds for headers, twenty for a request, and five between two requests`, async () => {
      const { server } = await createHttpServer(tls);
      expect(server).to.include({
        ...{ headersTimeout: 10_000, requestTimeout: 20_000, keepAliveTimeout: 5_000 },
      });
    });
  }
});

describe('A connection that the server has ended and the client has not', () => {
  it('is destroyed after a second', async () => {
    const time = new SimulatedTime();
    const socket = new Duplex();
    destroyAfterLinger(socket);
    await time.pass(990);
    expect(socket.destroyed).to.equal(false);
    await time.pass(20);
    expect(socket.destroyed).to.equal(true);
    time.end();
  });
});

describe('An idle HTTP/2 session', () => {
  const server = ofEachTest(() => new LimitedServer());

  it('is closed after ten seconds without a request, and fifteen after one', async () => {
    await server.start({ isSecure: true });
    for (const [paths, expectedMs] of [
      [[], 10_000],
      [['/body'], 15_000],
    ] as const) {
      const session = await Session.open(server.url, certificate.cert, 'a-token');
      for (const path of paths) await session.ask('GET', path);
      const [, milliseconds] = await server.time.during(session.closed, 50);
      // It is noticed by one check a second, and destroyed by the next one.
      expect(milliseconds).to.be.within(expectedMs - 100, expectedMs + 2_200);
    }
  });
});
