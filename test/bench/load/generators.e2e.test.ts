import { createServer } from 'node:http';
import { expect } from 'chai';
import { portOf } from '../../bootstrap/support/ports.ts';
import { sendOnce } from './canned.ts';
import type { Generator } from './generator.ts';
import { ownGenerator } from './own-generator.ts';
import { runLoad } from './run-load.ts';
import { findWrk } from './wrk.ts';

const wire = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${more}\r\n`;

/** Each with the shortest time that it can run, in seconds. */
const generators: readonly [name: string, find: () => Promise<Generator | undefined>, seconds: number][] = [
  ['wrk', findWrk, 1],
  ['test/lab/load', async () => ownGenerator, 0.3],
];

for (const [name, find, seconds] of generators) {
  describe(`The load generator ${name}`, () => {
    let seen: string[] = [];
    let keys: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.url ?? '');
      keys.push(request.headers['idempotency-key']?.toString());
      response.writeHead(request.url === '/no' ? 422 : 200, { 'Content-Length': 2, 'X-One': '1' }).end('{}');
    });
    let generator: Generator;
    before(async function () {
      const found = await find();
      if (found === undefined) return this.skip();
      generator = found;
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    });
    after(() => {
      server.close();
      server.closeAllConnections();
    });
    beforeEach(() => {
      [seen, keys] = [[], []];
    });

    const run = (requests: readonly string[], from = 0) =>
      generator.run({ port: portOf(server), requests, from, connections: 1, seconds });

    it('sends requests in turn from the given one, each with a new key', async () => {
      const outcome = await run(
        ['/0', '/1', '/2'].map((path) => wire(path, 'Idempotency-Key: {key}\r\n')),
        4,
      );
      expect(seen.slice(0, 4)).to.deep.equal(['/1', '/2', '/0', '/1']);
      expect(new Set(keys)).to.have.lengthOf(keys.length);
      expect(keys[0]).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(outcome).to.deep.include({ errorResponses: 0, failed: 0 });
      expect(outcome.requests).to.be.within(seen.length - 2, seen.length);
      expect(outcome.p99).to.be.at.least(outcome.p50);
      // However late a busy machine ends it, its duration is in seconds.
      expect(outcome.seconds).to.be.within(0.9 * seconds, 100 * seconds);
    });

    it('makes keys in ascending order for {later key}', async () => {
      await run([wire('/', 'Idempotency-Key: {later key}\r\n')]);
      expect(keys[0]).to.match(/^[0-9a-f]{32}$/);
      expect(new Set(keys)).to.have.lengthOf(keys.length);
      const times = keys.map((key) => key?.slice(0, 12));
      expect(times).to.deep.equal(times.toSorted());
    });

    it('sends other requests meanwhile on half of the connections, and counts them apart', async () => {
      const load = { port: portOf(server), from: 0, connections: 4, seconds };
      const outcome = await runLoad(generator, { ...load, requests: [wire('/a')], beside: [wire('/no')] });
      expect(new Set(seen)).to.deep.equal(new Set(['/a', '/no']));
      expect(outcome.requests).to.be.within(
        seen.filter((path) => path === '/a').length - 2,
        seen.filter((path) => path === '/a').length,
      );
      expect(outcome.besideRequests).to.be.greaterThan(10);
      expect(outcome.errorResponses).to.equal(outcome.besideRequests);
    });

    it('counts responses with an error status', async () => {
      const outcome = await run([wire('/no')]);
      expect(outcome.requests).to.be.greaterThan(10);
      expect(outcome.errorResponses).to.equal(outcome.requests);
    });
  });
}

describe('A canned response', () => {
  it('has its status, its body, and what headers Node does not add by itself', async () => {
    const server = createServer((request, response) => {
      response.writeHead(401, { 'X-One': request.headers['x-asked'], 'Content-Length': 5 }).end('Never');
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const response = await sendOnce(portOf(server), wire('/', 'X-Asked: yes\r\n'));
    server.close();
    expect(response).to.deep.equal({
      status: 401,
      headers: ['X-One', 'yes', 'Content-Length', '5'],
      body: 'Never',
    });
  });
});
