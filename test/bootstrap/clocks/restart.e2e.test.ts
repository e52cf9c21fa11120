import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { type Receiver, startReceiver } from '../../adapters/webhooks/receiver.ts';
import type { Json } from '../../http/support/client.ts';
import { expectCreated } from '../../http/support/expectations.ts';
import { euros } from '../../http/support/shop.ts';
import { untilWaitingAt } from '../../http/support/waiting.ts';
import { newEndpoint, webhookSettings } from '../../http/support/webhooks.ts';
import { createDatabase, type TestDatabase } from '../../support/test-databases.ts';
import { until } from '../../support/until.ts';
import { freePort } from '../support/ports.ts';
import { type Server, startServer } from '../support/server.ts';
import { clockAhead, clockToleranceMs } from './clock-flags.ts';

const hour = 3_600_000;

describe('Events on SQLite, whose clock is that of the machine', () => {
  let database: TestDatabase;
  let receiver: Receiver;
  let server: Server;
  let opsUrl: string;
  let status = 204;
  const endpoints: Json[] = [];

  const start = async (flags: readonly string[]): Promise<void> => {
    const port = await freePort();
    opsUrl = `http://127.0.0.1:${port}`;
    const settings = { ...webhookSettings, WEBHOOK_ALLOW: '127.0.0.1:*' };
    server = await startServer({ DATABASE_URL: database.url, OPS_PORT: `${port}`, ...settings }, { flags });
  };

  before(async () => {
    database = await createDatabase('sqlite');
    receiver = await startReceiver((_, response) => response.writeHead(status).end());
    await start([]);
    for (const ordering of ['parallel', 'sequential']) {
      const url = `http://127.0.0.1:${receiver.port}/${ordering}`;
      endpoints.push(await newEndpoint(server.client, { url, ordering, event_types: ['product.*'] }));
    }
  });
  after(async () => {
    await server?.program.kill();
    await receiver?.close();
    await database?.remove();
  });

  const add = async (): Promise<Json> =>
    expectCreated(
      await server.client.post('/v1/products', { name: 'Tea', price: euros(350) }),
      '/v1/products',
    );
  const arrivalsOf = ({ id }: Json) =>
    receiver.received.filter(({ body }) => JSON.parse(body).subject.id === id);
  const arrived = (product: Json, count: number) =>
    until(
      async () => arrivalsOf(product),
      ({ length }) => length >= count,
      20_000,
    );
  const pathsOf = (product: Json) =>
    arrivalsOf(product)
      .map(({ path }) => path)
      .sort();
  const both = ['/parallel', '/sequential'];
  const deliveriesOf = async (product: Json): Promise<readonly Json[]> => {
    const { id } = JSON.parse(arrivalsOf(product)[0]?.body ?? '');
    return (await server.client.get(`/v1/webhook-deliveries?event_id=${id}`)).body.data;
  };

  const restarts = [
    { title: 'ahead', flags: clockAhead, offset: 25 * hour },
    { title: 'back', flags: [], offset: 0 },
  ] as const;
  for (const { title, flags, offset } of restarts)
    describe(`after a kill and a restart with the clock 25 hours ${title}`, () => {
      let failed: Json;
      let untried: Json;
      let end: string;

      before(async () => {
        status = 500;
        failed = await add();
        // The sequential endpoint makes a second attempt after a second, and the next one after five.
        await arrived(failed, 3);
        await until(
          () => deliveriesOf(failed),
          (all) => all.every(({ attempt_count: count, next_attempt_at: next }) => count > 0 && next !== null),
        );
        untried = await add();
        await arrived(untried, 1);
        end = (await server.client.get('/v1/events?start=latest')).body.links.resume;
        await server.program.kill();
        receiver.received.length = 0;
        status = 204;
        await start(flags);
      });

      it('they are delivered where they were pending, also those whose next attempt was set before', async () => {
        for (const product of [failed, untried]) {
          await arrived(product, 2);
          expect(pathsOf(product)).to.deep.equal(both);
        }
      });

      it('a reader goes on where it was, and new ones are visible, waited for, and delivered once', async () => {
        const waiting = server.client.get(end, { Prefer: 'wait=20' });
        await untilWaitingAt(opsUrl, 1);
        const product = await add();
        const { status: code, body } = await waiting;
        expect([code, body.data.map(({ subject }: Json) => subject.id)]).to.deep.equal([200, [product.id]]);
        const all: Json[] = (await server.client.get('/v1/events?limit=100')).body.data;
        expect(all.map(({ sequence }) => sequence)).to.deep.equal(all.map((_, index) => index + 1));
        const ids = all.map(({ id }) => id);
        expect(ids).to.deep.equal(ids.toSorted());
        await arrived(product, 2);
        await pause(1_000);
        expect(pathsOf(product)).to.deep.equal(both);
      });

      it('the time of a webhook is that of the machine', async () => {
        const product = await add();
        // Both, because the next test lets attempts fail.
        const [first] = await arrived(product, 2);
        expect(Number(first?.headers['webhook-timestamp']) * 1_000).to.be.closeTo(
          Date.now() + offset,
          clockToleranceMs,
        );
      });

      it('a failed attempt is made again after seconds', async () => {
        status = 500;
        const product = await add();
        await arrived(product, 2);
        status = 204;
        await arrived(product, 4);
        expect(new Set(pathsOf(product))).to.deep.equal(new Set(both));
        await until(
          () => deliveriesOf(product),
          (deliveries) => deliveries.every(({ status: state }) => state === 'succeeded'),
        );
      });
    });
});
