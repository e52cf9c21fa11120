import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { Random } from '#test/support/random.ts';
import { Violations } from '../../lab/violations.ts';
import { noCounts } from '../counts.ts';
import { forgeEvents } from './forger.ts';

/** How many events a server gets in these tests. */
const count = 6;

/** @param respond the status of a response to a body with a signature */
const violationsOf = async (respond: (signature: string, body: string) => number): Promise<number> => {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    bodies.push(body);
    response.writeHead(respond(String(request.headers['stripe-signature']), body)).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const violations = new Violations(() => undefined);
  const counts = noCounts();
  const one = { name: 'it', eventsUrl: `http://127.0.0.1:${port}/provider-events` };
  await forgeEvents(
    {
      fleet: { servers: [one, one] },
      ...{ requests: [], random: new Random(3), violations, counts, maxPauseMs: 1 },
    },
    () => bodies.length === count,
  );
  server.close();
  expect(counts.inventedEvents).to.equal(count);
  expect(bodies.every((body) => JSON.parse(body).data.object.id)).to.equal(true);
  return violations.count('forgedEvents');
};

describe('Invented events', () => {
  it('are half forged, and one that is accepted is a violation', async () => {
    const accepted = await violationsOf(() => 204);
    const rejected = await violationsOf(() => 401);
    expect(accepted).to.be.within(1, count - 1);
    expect(accepted + rejected).to.equal(count);
  });

  it('may not be stored while the database is unavailable', async () => {
    expect(await violationsOf(() => 503)).to.equal(0);
  });
});
