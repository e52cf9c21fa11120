import { expect } from 'chai';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import { checkDatabase } from '#bootstrap/cli/doctor/database.ts';
import { Client } from '../../http/support/client.ts';
import { PostgresServer } from '../../support/postgres-server.ts';
import { until } from '../../support/until.ts';
import { type Server, startServer } from '../support/server.ts';

describe('Two servers with a replica that lags', () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  let servers: readonly [Server, Server];
  before(async () => {
    primary = await PostgresServer.make();
    await primary.start();
    await (await openPostgres({ url: primary.url })).close();
    standby = await PostgresServer.following(primary, ['recovery_min_apply_delay=3s']);
    await standby.start();
    const environment = { DATABASE_URL: primary.url, DATABASE_REPLICA_URLS: standby.url };
    servers = await Promise.all([startServer(environment), startServer(environment)]);
  });
  after(async () => {
    await Promise.all((servers ?? []).map(({ program }) => program.kill()));
    await standby.remove();
    await primary.remove();
  });

  const name = 'Ada';
  const userAs = async (role: string): Promise<[Client, Client]> => {
    const [{ client: one }, { client: other }] = servers;
    const email = `${role}-${process.pid}-${performance.now()}@example.com`;
    const user = await one.post('/v1/users', { email, name, role });
    const key = await one.post('/v1/api-keys', { user_id: user.body.data.id, name });
    const { token } = key.body.data;
    return [new Client(() => one.base, token), new Client(() => other.base, token)];
  };

  const create = async (by: Client): Promise<string> => {
    const { status, body } = await by.post('/v1/products', {
      name: 'Tea',
      price: { amount: 450, currency: 'EUR' },
    });
    expect(status).to.equal(201);
    return `/v1/products/${body.data.id}`;
  };

  /** Waits until the replica, which is behind, serves a user who has written nothing. */
  const untilBehind = (writer: Client, reader: Client): Promise<number> =>
    until(
      async () => (await reader.get(await create(writer))).status,
      (status) => status === 404,
      15_000,
    );

  it('let a user read their own writes through the other server at once, and other users a little later', async () => {
    const [writerHere, writerThere] = await userAs('staff');
    const [, stranger] = await userAs('customer');
    await untilBehind(writerHere, stranger);
    for (let round = 0; round < 10; round += 1) {
      const path = await create(writerHere);
      expect((await writerThere.get(path)).status).to.equal(200);
      expect((await writerHere.get(await create(writerThere))).status).to.equal(200);
    }
    const path = await create(writerHere);
    await until(
      () => stranger.get(path),
      ({ status }) => status === 200,
    );
  });

  it('show events sooner than the replica has them, to who waits and to who does not', async () => {
    const [writer] = await userAs('staff');
    const [, reader] = await userAs('staff');
    const [other] = await userAs('staff');
    await untilBehind(writer, reader);
    const follow = (path: string) => reader.get(path, { Prefer: 'wait=1' });
    let position = (await follow('/v1/events?start=latest')).body.links.resume;
    for (let round = 0; round < 5; round += 1) {
      const [, , , id] = (await create(writer)).split('/');
      // The replica has it later than this reader waits.
      const { body } = await follow(position);
      expect(body.data[0].subject.id).to.equal(id);
      expect((await reader.get(`/v1/products/${id}`)).status, 'what the event names').to.equal(200);
      // The other reader neither waits nor has written anything.
      expect((await other.get(position)).body.data).to.deep.equal(body.data);
      expect((await other.get(`/v1/events/${body.data[0].id}`)).status).to.equal(200);
      position = body.links.resume;
    }
  });

  it('let who has asked for the end of the feed read lists that are not older', async () => {
    const [writer] = await userAs('staff');
    for (let round = 0; round < 5; round += 1) {
      const [here, there] = await userAs('staff');
      const [, stranger] = await userAs('customer');
      await untilBehind(writer, stranger);
      const path = await create(writer);
      expect((await here.get('/v1/events?start=latest')).status).to.equal(200);
      expect((await there.get(path)).status).to.equal(200);
      expect((await stranger.get(path)).status).to.equal(404);
    }
  });

  it('keep serving when the replica is unavailable, which the doctor reports', async () => {
    const kept = { kind: 'postgres', url: primary.url, replicas: [standby.url] } as const;
    expect((await checkDatabase(kept)).at(-1)).to.include({ check: 'replica', state: 'ok' });
    const [here, there] = await userAs('staff');
    await standby.stop();
    expect((await there.get(await create(here))).status).to.equal(200);
    expect((await checkDatabase(kept)).at(-1)).to.include({ check: 'replica', state: 'warn' });
    const unreplicated = { ...kept, replicas: [primary.url] };
    expect((await checkDatabase(unreplicated)).at(-1)?.message).to.match(/follows no other server/);
  });
});
