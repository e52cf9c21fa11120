import { createServer, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { sleep } from '#adapters/support/time.ts';
import { portOf } from '../../bootstrap/support/ports.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';
import { closedLoad, openLoad } from './load.ts';
import { requestBytes } from './request.ts';
import { isSuccess, Tally } from './tally.ts';

describe('Load', () => {
  let requests = 0;
  let atOnce = 0;
  let time: SimulatedTime;
  beforeEach(() => {
    time = new SimulatedTime();
    requests = 0;
    atOnce = 0;
  });
  afterEach(() => time.end());

  let mostAtOnce = 0;
  const answerLater = async (response: ServerResponse): Promise<void> => {
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    await sleep(50);
    atOnce -= 1;
    response.end('late');
  };
  const server = createServer((request, response) => {
    requests += 1;
    if (request.url === '/close') response.setHeader('Connection', 'close');
    if (request.url === '/reset') request.socket.resetAndDestroy();
    else if (request.url === '/later') void answerLater(response);
    else if (request.url === '/slow') {
      time.work(50);
      response.end('late');
    } else {
      buffer(request).then((body) => {
        response.writeHead(request.url === '/no' ? 503 : 200, { 'Content-Length': body.length }).end(body);
      });
    }
  });
  before((done) => {
    server.listen(0, '127.0.0.1', () => done());
  });
  after((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });

  it('sends the given number of requests, and reads each response to its end', async () => {
    const tally = new Tally();
    const bodies = new Set<string>();
    const sent = await closedLoad({
      port: portOf(server),
      tally,
      connections: 4,
      requests: 200,
      next: (number) =>
        requestBytes('POST', number % 2 ? '/' : '/close', {}, { text: 'é'.repeat(number * 400) }),
      onResponse: (_, bytes) => bodies.add(bytes.toString().split('\r\n\r\n')[1] ?? ''),
    });
    expect([sent, requests, tally.count(isSuccess)]).to.deep.equal([200, 200, 200]);
    expect(bodies).to.have.lengthOf(200);
    expect(bodies).to.include(JSON.stringify({ text: 'é'.repeat(199 * 400) }));
  });

  it('tallies statuses and errors apart, and measures the latency of each', async () => {
    const tally = new Tally();
    const paths = ['/', '/no', '/reset', '/slow'];
    const next = (number: number) => requestBytes('GET', paths[number % 4] ?? '', {});
    await closedLoad({
      port: portOf(server),
      tally,
      connections: 1,
      requests: 40,
      next,
    });
    expect(tally.toString()).to.equal('200: 20, 503: 10, ECONNRESET: 10');
    expect(Math.round(tally.percentile(99))).to.equal(50);
    expect(tally.percentile(99, (status) => status === 503)).to.be.lessThan(1);
  });

  it('sends at its rate, whether or not there are responses', async () => {
    const tally = new Tally();
    const load = openLoad({
      port: portOf(server),
      tally,
      rate: 400,
      milliseconds: 500,
      connections: 200,
      next: () => requestBytes('GET', '/later', {}),
    });
    expect(await time.settle(load, 600_000, 1)).to.equal(200);
    expect(tally.count(isSuccess)).to.equal(200);
    // Each takes 50 ms, and one is due every 2.5 ms.
    expect(mostAtOnce).to.be.at.least(20);
  });
});
