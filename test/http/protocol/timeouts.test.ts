import { Duplex } from 'node:stream';
import { expect } from 'chai';
import { destroyAfterLinger } from '#adapters/http/server/connections.ts';
import { createHttpServer } from '#adapters/http/server/create-server.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';
import { certificate } from '../support/certificate.ts';

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
