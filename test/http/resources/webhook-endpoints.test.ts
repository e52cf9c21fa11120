import { stat } from 'node:fs/promises';
import { expect } from 'chai';
import { until } from '../../support/until.ts';
import type { Client, Json } from '../support/client.ts';
import {
  expectCreated,
  expectError,
  expectInvalid,
  expectList,
  expectNoContent,
  expectOne,
  idsOf,
} from '../support/expectations.ts';
import { describeLimits, describeReadOnly, orNull, textLimit } from '../support/limits.ts';
import { expectReplay } from '../support/replays.ts';
import { describeService, describeServiceOnEachStore } from '../support/service.ts';
import { newProduct, nowhere, once } from '../support/shop.ts';
import {
  deleteEndpoints,
  newDisabledEndpoint,
  newEndpoint,
  receiverUrl,
  webhookSettings,
} from '../support/webhooks.ts';

const path = '/v1/webhook-endpoints';
const at = ({ id }: Json): string => `${path}/${id}`;

describeServiceOnEachStore('A webhook endpoint', webhookSettings, (service) => {
  let admin: Client;
  let staff: Client;

  before(async () => {
    admin = service.operator;
    staff = await service.person('staff');
  });

  afterEach(() => deleteEndpoints(service));

  it('has defaults, and a secret in the response to its creation alone', async () => {
    // What has happened so far is visible soon.
    await until(
      () => staff.get('/v1/events?limit=1'),
      ({ body }) => body.data.length === 1,
    );
    const fields = { url: receiverUrl, description: 'ERP 茶 🍵' };
    const response = await admin.post(path, fields, once('first'));
    const { secret, ...endpoint } = expectCreated(response, path);
    expect(response.headers.get('Cache-Control')).to.equal('no-store');
    expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { id, secrets, position, created_at, updated_at, ...rest } = endpoint;
    expect(rest).to.deep.equal({
      ...{ ...fields, event_types: ['*'], ordering: 'parallel', payload: 'full', status: 'enabled' },
      ...{ disabled_reason: null, failing_since: null, version: 1 },
    });
    expect(position).to.be.at.least(1);
    expect(secrets).to.deep.equal([
      { id: secrets[0].id, hint: `${secret.slice(0, 10)}…`, created_at, expires_at: null },
    ]);
    const replay = await admin.post(path, fields, once('first'));
    expect(replay.body.data).to.deep.equal(endpoint);
    expect(replay.headers.get('Idempotent-Replayed')).to.equal('true');
    expect(expectList(await staff.get(path))).to.have.lengthOf(1);
    expect((await staff.get(at(endpoint))).text).to.not.include(secret.slice(6));
  });

  it('changes under its version, and not with its position', async () => {
    const endpoint = await newDisabledEndpoint(admin);
    const seen = { 'If-Match': '"2"' };
    const fields = { event_types: ['order.*', 'review.created'], payload: 'thin', ordering: 'sequential' };
    const changed = expectOne(await admin.patch(at(endpoint), fields, seen));
    expect(changed).to.deep.include({ ...fields, version: 3 });
    expectError(await admin.patch(at(endpoint), { description: 'Late' }, seen), 'PRECONDITION_FAILED');
    expectError(await admin.delete(at(endpoint), seen), 'PRECONDITION_FAILED');
    const moved = expectOne(await admin.patch(at(endpoint), { position: 0 }, { 'If-Match': '"3"' }));
    expect(moved).to.deep.equal({ ...changed, position: 0 });
    expect(expectOne(await staff.get(at(endpoint)))).to.deep.equal(moved);
    expect((await staff.get(at(endpoint), { 'If-None-Match': '"3"' })).status).to.equal(304);
    expectInvalid(await admin.patch(at(endpoint), { position: 1_000_000 }), 'position');
    expectNoContent(await admin.delete(at(endpoint)));
    expectError(await admin.get(at(endpoint)), 'NOT_FOUND');
  });

  it('is disabled by hand and enabled again', async () => {
    const endpoint = await newDisabledEndpoint(admin);
    expect(endpoint).to.include({ status: 'disabled', disabled_reason: 'by_hand', version: 2 });
    const enabled = expectOne(await admin.patch(at(endpoint), { status: 'enabled' }));
    expect(enabled).to.include({ status: 'enabled', disabled_reason: null, version: 3 });
  });

  it('is one of twenty at most, also when several are created at once', async () => {
    const responses = await Promise.all(
      Array.from({ length: 24 }, () => admin.post(path, { url: receiverUrl })),
    );
    const statuses = Array.from(responses, ({ status }) => status).toSorted();
    expect(statuses).to.deep.equal([...Array.from({ length: 20 }, () => 201), 409, 409, 409, 409]);
    const [rejected] = responses.filter(({ status }) => status === 409);
    expectError(rejected ?? expect.fail('None was rejected.'), 'CONFLICT');
    expect(expectList(await staff.get(`${path}?limit=100`))).to.have.lengthOf(20);
  });
});

describeService('Webhook endpoints', webhookSettings, (service) => {
  let admin: Client;
  let kept: Json;

  before(async () => {
    admin = service.operator;
  });

  beforeEach(async () => {
    await deleteEndpoints(service);
    kept = await newDisabledEndpoint(admin);
  });

  const send = async (body: Json) => {
    const response = await admin.post(path, { url: receiverUrl, ...body });
    if (response.status === 201) await admin.delete(at(response.body.data));
    return response;
  };

  const fifty = Array.from({ length: 50 }, (_, place) => (place % 2 === 0 ? 'order.*' : 'payment.*'));

  describeLimits(
    {
      description: orNull(textLimit(0, 200)),
      ordering: { accepts: ['parallel', 'sequential'], rejects: ['random', null, 1] },
      payload: { accepts: ['full', 'thin'], rejects: ['', null, true] },
      event_types: {
        accepts: [['*'], ['order.*', 'order.paid'], ['webhook_endpoint.disabled']],
        rejects: [[], [...fifty, '*'], '*', null, {}],
      },
      url: {
        accepts: [
          ...[receiverUrl, 'https://localhost', 'HTTPS://localhost/a?b=c'],
          `https://localhost/${'x'.repeat(2_030)}`,
        ],
        rejects: [
          ...[null, '', 7, 'localhost', 'ftp://localhost', 'http://localhost'],
          ...['https://u:p@localhost', 'https://u@localhost', 'https://localhost/#a'],
          ...[
            'https://127.0.0.1',
            'https://[::1]',
            'https://10.1.2.3/',
            'https://2130706433',
            'https://0x7f.1',
          ],
          ...['https://[::ffff:127.0.0.1]', 'https://169.254.169.254/latest', 'https://localhost:22'],
          `https://localhost/${'x'.repeat(2_031)}`,
        ],
      },
    },
    {},
    send,
  );

  const readOnly = ['status', 'disabled_reason', 'position', 'failing_since', 'secrets', 'secret'];
  describeReadOnly(readOnly, {}, send);

  it('need a URL, and types that are known', async () => {
    expectInvalid(await admin.post(path, {}), 'url');
    expectInvalid(
      await send({ event_types: ['order.*', 'order', 'order.sold'] }),
      'event_types.1',
      'event_types.2',
    );
    expect((await send({ event_types: fifty })).body.data.event_types).to.deep.equal([
      'order.*',
      'payment.*',
    ]);
  });

  it('reject changes as they reject creations, and stay as they are', async () => {
    for (const [field, value] of [
      ['url', 'https://127.0.0.1'],
      ['event_types', []],
      ['status', 'paused'],
      ['status', null],
      ['position', -1],
      ['position', 0.5],
      ['position', null],
      ['description', 7],
    ] as const)
      expectInvalid(await admin.patch(at(kept), { [field]: value }), field);
    for (const field of ['disabled_reason', 'failing_since', 'secrets', 'secret', 'id'])
      expectInvalid(await admin.patch(at(kept), { [field]: null }), field);
    expect(expectOne(await admin.get(at(kept)))).to.deep.equal(kept);
    expectError(await admin.patch(`${path}/${nowhere}`, {}), 'NOT_FOUND');
  });

  it('take the position at the end of the feed, and none beyond', async () => {
    await newProduct(service);
    const feed = await admin.get('/v1/events?limit=100');
    const { sequence } = feed.body.data.at(-1);
    expect(expectOne(await admin.patch(at(kept), { position: sequence })).position).to.equal(sequence);
    expectInvalid(await admin.patch(at(kept), { position: sequence + 1 }), 'position');
  });

  it('are read by staff and changed by administrators', async () => {
    const [staff, customer] = [await service.person('staff'), await service.person('customer')];
    expect(idsOf(expectList(await staff.get(path)))).to.deep.equal([kept.id]);
    for (const client of [staff, customer]) {
      expectError(await client.post(path, { url: receiverUrl }), 'FORBIDDEN');
      expectError(await client.patch(at(kept), {}), 'FORBIDDEN');
      expectError(await client.delete(at(kept)), 'FORBIDDEN');
    }
    for (const address of [path, at(kept)]) expectError(await customer.get(address), 'FORBIDDEN');
    const reader = await service.person('admin', ['webhook-endpoints:read']);
    expect(expectOne(await reader.get(at(kept)))).to.deep.equal(kept);
    expectError(await reader.delete(at(kept)), 'FORBIDDEN');
  });

  it('are deleted with the same response to a repetition of a creation', async () => {
    const first = await admin.post(path, { url: receiverUrl }, once('gone'));
    await admin.delete(at(first.body.data));
    const { secret: _, ...shown } = first.body.data;
    const replay = await admin.post(path, { url: receiverUrl }, once('gone'));
    expectReplay(replay, { ...first, body: { data: shown }, text: JSON.stringify({ data: shown }) });
  });
});

describeServiceOnEachStore('Without SECRETS_KEY a webhook endpoint', {}, (service, kind) => {
  const fileOf = () => `${service.databaseUrl.replace('sqlite:', '')}.secrets-key`;
  const modeOf = () => stat(fileOf()).then(({ mode }) => mode & 0o777);
  const isShared = kind === 'postgres' || kind === 'mariadb';

  if (isShared) {
    it('is rejected, and the message names the variable', async () => {
      const response = await service.operator.post(path, { url: receiverUrl });
      expectError(response, 'CONFLICT');
      expect(response.body.error.message).to.include('SECRETS_KEY');
      expect(expectList(await service.operator.get(path))).to.deep.equal([]);
    });
    return;
  }

  it('is created', async () => {
    expectInvalid(await service.operator.post(path, { url: 'https://127.0.0.1' }), 'url');
    if (kind === 'sqlite') expect(await modeOf().catch(({ code }) => code)).to.equal('ENOENT');
    await newEndpoint(service.operator);
    if (kind === 'sqlite') expect(await modeOf()).to.equal(0o600);
  });
});
