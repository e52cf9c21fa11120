import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { EventId } from '#domain/event-id.ts';
import { type Receiver, startReceiver } from '../../adapters/webhooks/receiver.ts';
import type { Json } from '../../http/support/client.ts';
import { expectCreated, expectOne } from '../../http/support/expectations.ts';
import { euros } from '../../http/support/shop.ts';
import { untilWaitingAt } from '../../http/support/waiting.ts';
import { newEndpoint, webhookSettings } from '../../http/support/webhooks.ts';
import { Metrics } from '../../support/metrics.ts';
import { allKinds, createDatabase, productOf, type TestDatabase } from '../../support/test-databases.ts';
import { until } from '../../support/until.ts';
import { freePort } from '../support/ports.ts';
import { type Server, startServer } from '../support/server.ts';
import { clockAhead, clockToleranceMs } from './clock-flags.ts';

/** The kinds of store whose clock is not that of the processes. */
const kinds = allKinds.filter((kind) => kind === 'postgres' || kind === 'mariadb');

/** An attempt lasts at most so long, in milliseconds. */
const attemptTimeoutMs = 15_000;

const isNow = (milliseconds: number, what: string): void => {
  expect(milliseconds, what).to.be.closeTo(Date.now(), clockToleranceMs);
};

for (const kind of kinds) {
  describe(`Events of two processes whose clocks are 25 hours apart, on ${productOf(kind)}`, () => {
    let database: TestDatabase;
    let receiver: Receiver;
    let endpoint: Json;
    let ahead: Server & { readonly opsUrl: string };
    let right: Server & { readonly opsUrl: string };
    let failures = 0;

    const start = async (flags: readonly string[]) => {
      const port = await freePort();
      const settings = {
        ...{ DATABASE_URL: database.url, OPS_PORT: `${port}` },
        ...{ ...webhookSettings, WEBHOOK_ALLOW: '127.0.0.1:*' },
      };
      return { ...(await startServer(settings, { flags })), opsUrl: `http://127.0.0.1:${port}` };
    };

    before(async () => {
      database = await createDatabase(kind);
      receiver = await startReceiver((_, response) => {
        failures -= 1;
        response.writeHead(failures >= 0 ? 500 : 204).end();
      });
      ahead = await start(clockAhead);
      // It is the one that delivers before the other starts.
      endpoint = await newEndpoint(ahead.client, { url: `http://127.0.0.1:${receiver.port}/` });
      await until(
        () => deliversAt(ahead),
        (delivers) => delivers,
      );
      right = await start([]);
    });
    after(async () => {
      await Promise.all([ahead, right].map((server) => server?.program.kill()));
      await receiver?.close();
      await database?.remove();
    });

    /** Whether a process delivers: it alone measures how far endpoints are behind. */
    const deliversAt = async ({ opsUrl }: { readonly opsUrl: string }) =>
      (await Metrics.of(opsUrl)).has('portico_webhook_lag_events', { endpoint: endpoint.id });

    const add = async ({ client }: Server): Promise<Json> =>
      expectCreated(await client.post('/v1/products', { name: 'Tea', price: euros(350) }), '/v1/products');

    const arrivalsOf = ({ id }: Json) =>
      receiver.received.filter(({ body }) => JSON.parse(body).subject.id === id);
    const arrived = (product: Json, count = 1, timeoutMs = 20_000) =>
      until(
        async () => arrivalsOf(product),
        ({ length }) => length >= count,
        timeoutMs,
      );

    const endOfFeed = async ({ client }: Server): Promise<string> =>
      (await client.get('/v1/events?start=latest')).body.links.resume;

    it('are delivered once, and receivers accept their time', async () => {
      const products: Json[] = [];
      for (const server of [ahead, right, ahead, right, ahead, right]) products.push(await add(server));
      for (const product of products) await arrived(product);
      // More than the delay of a second delivery that another process would make.
      await pause(1_000);
      for (const product of products) {
        const [first, ...others] = arrivalsOf(product);
        expect(others).to.deep.equal([]);
        // Throws where the time is more than five minutes off.
        new Webhook(endpoint.secret).verify(first?.body ?? '', first?.headers as Record<string, string>);
        isNow(Number(first?.headers['webhook-timestamp']) * 1_000, 'webhook-timestamp');
        isNow(Date.parse(JSON.parse(first?.body ?? '').timestamp), 'timestamp');
      }
      expect([await deliversAt(ahead), await deliversAt(right)]).to.deep.equal([true, false]);
    });

    it('are tried again five seconds after a failed attempt', async () => {
      failures = 1;
      const product = await add(right);
      await arrived(product);
      const { id } = JSON.parse(arrivalsOf(product)[0]?.body ?? '');
      const list = () => right.client.get(`/v1/webhook-deliveries?event_id=${id}`);
      const { body } = await until(list, (response) => response.body.data[0]?.attempt_count === 1);
      const [{ next_attempt_at: next, attempts }] = body.data;
      const at = Date.parse(attempts[0].at);
      isNow(at, 'at');
      expect(Date.parse(next) - at).to.be.within(5_000, 5_000 + attemptTimeoutMs);
      await arrived(product, 2);
      const delivery = (await until(list, (response) => response.body.data[0]?.attempt_count === 2)).body
        .data[0];
      const [first, second] = delivery.attempts.map(({ at }: Json) => Date.parse(at)).toSorted();
      expect(second - first).to.be.at.least(4_500);
    });

    it('are numbered without a hole and in order, with the right time, and are visible at either process', async () => {
      const end = await endOfFeed(right);
      const products: Json[] = [];
      for (const [writer, reader] of [
        [ahead, right],
        [right, ahead],
        [ahead, ahead],
        [right, right],
      ] as const) {
        products.push(await add(writer));
        await until(
          () => reader.client.get(end),
          ({ body }) => body.data.length === products.length,
        );
      }
      const { data } = (await ahead.client.get(end)).body;
      const [{ sequence: first }] = data;
      expect(data.map(({ subject }: Json) => subject.id)).to.deep.equal(products.map(({ id }) => id));
      expect(data.map(({ sequence }: Json) => sequence - first)).to.deep.equal([0, 1, 2, 3]);
      const ids: string[] = data.map(({ id }: Json) => id);
      expect(ids).to.deep.equal(ids.toSorted());
      for (const id of ids) isNow(EventId.milliseconds(id as EventId), 'the time in its id');
    });

    it('end the wait of a reader at either process, and its time passes as it asks', async () => {
      for (const [writer, reader] of [
        [ahead, right],
        [right, ahead],
      ] as const) {
        const end = await endOfFeed(reader);
        const empty = await reader.client.get(end, { Prefer: 'wait=1' });
        expect(empty.body.data).to.deep.equal([]);
        const others = reader.client.get('/v1/events?start=latest&type=dispute.*', { Prefer: 'wait=30' });
        await untilWaitingAt(reader.opsUrl, 1);
        const waiting = reader.client.get(end, { Prefer: 'wait=30' });
        await untilWaitingAt(reader.opsUrl, 2);
        const { id } = await add(writer);
        // If only time ended the waits, the earlier one would end first.
        const first = await Promise.race([others.catch(() => undefined), waiting]);
        expect(first).to.equal(await waiting);
        const { body, headers } = await waiting;
        expect(headers.get('Preference-Applied')).to.equal('wait=30');
        expect(body.data.map(({ subject }: Json) => subject.id)).to.deep.equal([id]);
      }
    });

    it('are delivered by the other process after the one that delivers was killed', async () => {
      expect(await deliversAt(ahead)).to.equal(true);
      await ahead.program.kill();
      const product = await add(right);
      await arrived(product, 1, 60_000);
      expect(await deliversAt(right)).to.equal(true);
      const { client } = right;
      expect(expectOne(await client.get(`/v1/webhook-endpoints/${endpoint.id}`)).failing_since).to.equal(
        null,
      );
    });
  });
}
