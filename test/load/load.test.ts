import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { portOf } from '../bootstrap/support/ports.ts';
import { closedLoad, openLoad } from './load.ts';
import { requestBytes } from './request.ts';
import { isSuccess, Tally } from './tally.ts';

describe('Load', () => {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    if (request.url === '/close') response.setHeader('Connection', 'close');
    if (request.url === '/reset') request.socket.resetAndDestroy();
    else if (request.url === '/slow') setTimeout(() => response.end('late'), 50);
    else {
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
  beforeEach(() => {
    requests = 0;
  });

  it('sends the given number of requests, and reads each response to its end', async () => {
    const tally = new Tally();
    const bodies = new Set<string>();
    const sent = await closedLoad({
      port: portOf(server),
      tally,
      connections: 4,
      shouldContinue: (number) => number < 200,
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
      shouldContinue: (sent) => sent < 40,
      next,
    });
    expect(tally.toString()).to.equal('200: 20, 503: 10, ECONNRESET: 10');
    expect(tally.percentile(99)).to.be.within(45, 5_000);
    // The median: a single one may be slow on a busy machine.
    expect(tally.percentile(50, (status) => status === 503)).to.be.lessThan(45);
  });

  it('sends at its rate, whether or not there are responses', async () => {
    const tally = new Tally();
    const begun = performance.now();
    const next = () => requestBytes('GET', '/slow', {});
    const due = await openLoad({
      port: portOf(server),
      tally,
      rate: 400,
      milliseconds: 500,
      // As many as requests: after a pause of this process all of them may be due at once.
      connections: 200,
      next,
    });
    expect(due).to.be.within(198, 200);
    expect(tally.count(isSuccess)).to.equal(due);
    // In sequence they would take ten seconds.
    expect(performance.now() - begun).to.be.lessThan(5_000);
  });
});
