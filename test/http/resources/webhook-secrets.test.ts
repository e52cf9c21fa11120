import { expect } from 'chai';
import { localKinds } from '../../support/test-databases.ts';
import type { Client, Json } from '../support/client.ts';
import { expectCreated, expectInvalid, expectList } from '../support/expectations.ts';
import { describeLimits } from '../support/limits.ts';
import { describeService } from '../support/service.ts';
import { newDisabledEndpoint, webhookSettings } from '../support/webhooks.ts';
import { describeSecret } from './webhook-secrets.suite.ts';

describeSecret(localKinds);

const secretsOf = ({ id }: Json): string => `/v1/webhook-endpoints/${id}/secrets`;

describeService('Secrets of webhook endpoints', webhookSettings, (service) => {
  let admin: Client;
  let endpoint: Json;
  let path: string;

  before(async () => {
    admin = service.operator;
    endpoint = await newDisabledEndpoint(admin);
    path = secretsOf(endpoint);
  });

  const expiryAfter = async (body: object): Promise<number> => {
    const { created_at } = expectCreated(await admin.post(path, body), path);
    const [old] = expectList(await admin.get(path));
    return Date.parse(old.expires_at) - Date.parse(created_at);
  };

  it('sign for a day beside their successor, or as long as is asked for', async () => {
    expect(await expiryAfter({})).to.equal(86_400_000);
    expect(await expiryAfter({ previous_expires_in: 604_800 })).to.equal(604_800_000);
    expectCreated(await admin.post(path, { previous_expires_in: 0 }), path);
    expect(expectList(await admin.get(path))).to.have.lengthOf(1);
  });

  it('are listed page by page, in either order', async () => {
    expectCreated(await admin.post(path, {}), path);
    const all = expectList(await admin.get(path));
    expect(all).to.have.lengthOf(2);
    for (const [query, expected] of [
      ['limit=1', all],
      ['sort=-id&limit=1', all.toReversed()],
    ] as const) {
      const { body } = await admin.get(`${path}?${query}`);
      const next = await admin.get(body.links.next);
      expect([...body.data, ...next.body.data]).to.deep.equal(expected);
      expect(next.body.pagination).to.include({ has_more: false, next_cursor: null });
    }
  });

  const overlap = { accepts: [], rejects: [-1, 604_801, 0.5, '60', null, true, {}] };
  describeLimits({ previous_expires_in: overlap }, {}, (body) => admin.post(path, body));

  it('have no other field that can be written', async () => {
    expectInvalid(await admin.post(path, { secret: 'whsec_a', expires_at: null }), 'secret', 'expires_at');
  });
});
