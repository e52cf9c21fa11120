import { expect } from 'chai';
import type { Client, Json } from '../support/client.ts';
import {
  expectCreated,
  expectError,
  expectList,
  expectNoContent,
  expectOne,
  idsOf,
} from '../support/expectations.ts';
import { isReplay } from '../support/replays.ts';
import { serviceSuite } from '../support/service.ts';
import { once } from '../support/shop.ts';
import { newDisabledEndpoint, webhookSettings } from '../support/webhooks.ts';

const secretsOf = ({ id }: Json): string => `/v1/webhook-endpoints/${id}/secrets`;

export const describeSecret = serviceSuite('The secret of a webhook endpoint', webhookSettings, (service) => {
  let admin: Client;
  let endpoint: Json;
  let path: string;

  before(async () => {
    admin = service.operator;
    endpoint = await newDisabledEndpoint(admin);
    path = secretsOf(endpoint);
  });

  it('is replaced, shown once, and deleted, and the last one stays', async () => {
    const [old] = expectList(await admin.get(path));
    expect(old).to.deep.include({ id: endpoint.secrets[0].id, expires_at: null, version: 1 });
    expectError(await admin.delete(`${path}/${old.id}`), 'CONFLICT');

    const response = await admin.post(path, { previous_expires_in: 60 }, once('rotation'));
    const { secret, ...added } = expectCreated(response, path);
    expect(response.headers.get('Cache-Control')).to.equal('no-store');
    expect(added).to.deep.include({ hint: `${secret.slice(0, 10)}…`, expires_at: null, version: 1 });
    const replay = await admin.post(path, { previous_expires_in: 60 }, once('rotation'));
    expect(isReplay(replay)).to.equal(true);
    expect(replay.body.data).to.deep.equal(added);

    const [expiring, newest] = expectList(await admin.get(path));
    expect(newest).to.deep.equal(added);
    expect(Date.parse(expiring.expires_at) - Date.parse(added.created_at)).to.equal(60_000);
    expect(expectOne(await admin.get(`${path}/${old.id}`))).to.deep.equal(expiring);
    const shown = expectOne(await admin.get(path.replace('/secrets', '')));
    expect(shown.version).to.equal(endpoint.version + 1);
    const inEndpoint = ({ version: _, updated_at: __, ...rest }: Json) => rest;
    expect(shown.secrets).to.deep.equal([newest, expiring].map(inEndpoint));

    expectError(await admin.delete(`${path}/${old.id}`, { 'If-Match': '"1"' }), 'PRECONDITION_FAILED');
    expectNoContent(await admin.delete(`${path}/${old.id}`, { 'If-Match': '"2"' }));
    expectError(await admin.delete(`${path}/${old.id}`), 'NOT_FOUND');
    expect(idsOf(expectList(await admin.get(path)))).to.deep.equal([added.id]);
  });
});
