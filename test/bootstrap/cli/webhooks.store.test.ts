import { expect } from 'chai';
import { startApp } from '#bootstrap/composition/app.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { type Receiver, startReceiver } from '../../adapters/webhooks/receiver.ts';
import { Client, type Json } from '../../http/support/client.ts';
import { newEndpoint, webhookSettings } from '../../http/support/webhooks.ts';
import { until } from '../../support/until.ts';
import { describeOnEach } from '../support/places.ts';
import { runHere } from '../support/portico.ts';

const key = 'an-administrator-of-webhooks-here';

describeOnEach('portico webhooks', (place) => {
  let settings: Readonly<Record<string, string>>;
  let receiver: Receiver;
  let endpoint: Json;
  let status = 204;
  let afterFirst: string;
  const run = (...words: readonly string[]) => runHere(['webhooks', ...words], settings);
  const open = async () => {
    const app = await startApp(readConfig(settings));
    return { app, client: new Client(() => app.url, key) };
  };
  const addProducts = async (client: Client, count: number): Promise<Json> => {
    let created: Json;
    for (let left = count; left > 0; left -= 1) {
      const product = { name: 'Tea', price: { amount: 1290, currency: 'EUR' } };
      created = (await client.post('/v1/products', product)).body.data;
    }
    return created;
  };
  const received = (count: number) =>
    until(
      async () => receiver.received,
      (all) => all.length >= count,
    );

  before(async () => {
    receiver = await startReceiver((_, response) => {
      response.writeHead(status).end();
    });
    settings = {
      ...{ DATABASE_URL: place.url, PORT: '0', OPS_PORT: '0', SEED_DEMO: '0', LOG_LEVEL: 'warn' },
      ...{ ...webhookSettings, WEBHOOK_ALLOW: '127.0.0.1:*', ADMIN_API_KEY: key },
    };
    const { app, client } = await open();
    const url = `http://127.0.0.1:${receiver.port}/`;
    endpoint = await newEndpoint(client, { url, event_types: ['product.created'] });
    await addProducts(client, 1);
    afterFirst = (await addProducts(client, 1)).created_at;
    await addProducts(client, 1);
    await received(3);
    await app.close();
  });
  after(() => receiver.close());

  it('list the endpoints with status, lag and since when they fail', async () => {
    const { code, output } = await run('list');
    expect(code).to.equal(0);
    const [header, row] = output.split('\n');
    expect(header).to.match(/^ID +URL +STATUS +LAG +FAILING SINCE$/);
    expect(row?.split(/ {2,}/)).to.include.members([endpoint.id, endpoint.url, 'enabled', 'no']);
    const json = JSON.parse((await run('list', '--json')).output);
    expect(json[0]).to.include({ id: endpoint.id, status: 'enabled', failing_since: null });
    expect(json[0].position).to.be.at.least(1);
    expect(JSON.stringify(json)).to.not.include('"secret"');
  });

  it('replay from a time, or from a sequence, once a server runs', async () => {
    const before = receiver.received.length;
    const byTime = await run('replay', endpoint.id, '--since', afterFirst);
    expect([byTime.code, byTime.errors]).to.deep.equal([
      0,
      `The endpoint ${endpoint.id} receives its events from sequence ${secondSequence()} on.\n`,
    ]);
    const bySequence = await run('replay', endpoint.id, '--from', '1');
    expect(bySequence.errors).to.equal(
      `The endpoint ${endpoint.id} receives its events from sequence 1 on.\n`,
    );
    const { app } = await open();
    await received(before + 3);
    await app.close();
    const again = receiver.received.slice(before).map(({ headers }) => headers['webhook-id']);
    const first = receiver.received.slice(0, before).map(({ headers }) => headers['webhook-id']);
    expect(again).to.have.length(3);
    expect(first).to.include.members(again);
  });

  const secondSequence = (): number => {
    const events: Json[] = receiver.received.map(({ body }) => JSON.parse(body));
    const sequences = new Set(
      events.filter(({ test }) => test === undefined).map(({ sequence }) => sequence),
    );
    return [...sequences].toSorted((a, b) => a - b)[1];
  };

  it('test an endpoint, and show what its receiver says', async () => {
    const { app } = await open();
    const before = receiver.received.length;
    const accepted = await run('test', endpoint.id, '--type', 'refund.failed');
    expect([accepted.code, accepted.errors]).to.deep.equal([0, accepted.errors]);
    expect(accepted.errors).to.match(
      /^The receiver accepted the delivery \S+ with status 204 after \d+ ms\.\n$/,
    );
    const [example] = receiver.received.slice(before);
    expect(JSON.parse(example?.body ?? '')).to.include({ type: 'refund.failed', test: true });
    status = 500;
    const rejected = await run('test', endpoint.id);
    expect(rejected.code).to.equal(1);
    expect(rejected.errors).to.match(/^portico: The receiver did not accept .* with status 500 after /);
    status = 204;
    await app.close();
  });

  it('reject an unknown endpoint, a position outside the feed, and both or none of the options', async () => {
    const unknown = '018f4d2e-1f7a-7c3b-9d5e-2a4b6c8d0e1f';
    for (const words of [
      ['test', unknown],
      ['replay', unknown, '--from', '1'],
    ]) {
      const { code, errors } = await run(...words);
      expect(code).to.equal(1);
      expect(errors).to.include(`There is no webhook endpoint ${unknown}.`);
    }
    const beyond = await run('replay', endpoint.id, '--from', '100000');
    expect([beyond.code, beyond.errors]).to.deep.equal([2, beyond.errors]);
    expect(beyond.errors).to.match(/^portico: --from must be from 1 to \d+, .*, not 100000\.\n/);
    const [, last = ''] = /to (\d+)/.exec(beyond.errors) ?? [];
    expect((await run('replay', endpoint.id, '--from', '0')).code).to.equal(2);
    expect((await run('replay', endpoint.id, '--from', `${Number(last) + 1}`)).code).to.equal(2);
    for (const options of [[], ['--from', '1', '--since', afterFirst]]) {
      const { code, errors } = await run('replay', endpoint.id, ...options);
      expect(code).to.equal(2);
      expect(errors).to.include('webhooks replay requires exactly one of --from and --since.');
    }
  });

  it('reject a replay that would skip events which the endpoint has not got yet', async () => {
    const positionOf = async () => JSON.parse((await run('list', '--json')).output)[0].position;
    const end = await positionOf();
    expect((await run('replay', endpoint.id, '--from', `${end + 1}`)).code, 'where it is').to.equal(0);
    expect((await run('replay', endpoint.id, '--from', '1')).code).to.equal(0);
    for (const options of [
      ['--from', `${secondSequence()}`],
      ['--since', afterFirst],
      ['--since', '2999-01-01T00:00:00Z'],
    ]) {
      const { code, errors } = await run('replay', endpoint.id, ...options);
      expect([code, errors]).to.deep.equal([1, errors]);
      expect(errors).to.include(
        `portico: The endpoint ${endpoint.id} is at position 0 and receives the events after it anyway.`,
      );
      expect(await positionOf()).to.equal(0);
    }
  });
});
