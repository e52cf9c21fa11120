import { stat } from 'node:fs/promises';
import { expect } from 'chai';
import type { Json } from '../support/client.ts';
import {
  expectCreated,
  expectError,
  expectInvalid,
  expectList,
  expectNoContent,
  expectOne,
} from '../support/expectations.ts';
import { registered, serviceSuite } from '../support/service.ts';
import { once } from '../support/shop.ts';
import {
  deleteEndpoints,
  newDisabledEndpoint,
  newEndpoint,
  receiverUrl,
  webhookSettings,
} from '../support/webhooks.ts';

const path = '/v1/webhook-endpoints';
const at = ({ id }: Json): string => `${path}/${id}`;

export const describeWebhookEndpoint = serviceSuite('A webhook endpoint', webhookSettings, (service) => {
  const admin = service.operator;
  const staff = registered(service, 'staff');

  afterEach(() => deleteEndpoints(service));

  it('has defaults, and a secret in the response to its creation alone', async () => {
    // What has happened so far is visible soon.
    await service.until(
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

export const describeEndpointWithoutKey = serviceSuite(
  'Without SECRETS_KEY a webhook endpoint',
  {},
  (service, kind) => {
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
  },
);
