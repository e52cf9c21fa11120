import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Client, type Json } from './client.ts';
import { expectCreated, expectNothing, expectOne } from './expectations.ts';
import { Service } from './service.ts';
import { until } from './until.ts';

/** Within so many milliseconds a change of who may do what is obeyed everywhere. */
const soon = 5_000;

describe('Of two services that share a database, the one that hears nothing of it obeys within five seconds', () => {
  let folder: string;
  let here: Service;
  let there: Service;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portico-revocation-'));
    const place = { url: `sqlite:${join(folder, 'portico.db')}`, remove: async () => undefined };
    here = new Service({}, async () => place);
    there = new Service({}, async () => place);
    await here.start();
    await there.start();
  });

  after(async () => {
    await there.end();
    await here.end();
    await rm(folder, { recursive: true, force: true });
  });

  /** A user with a key that both services have just seen at work. */
  const known = async () => {
    const person = await here.person('staff');
    const elsewhere = new Client(() => there.url, person.token);
    for (const client of [person, elsewhere]) expect((await ask(client)).status).to.equal(201);
    const keys = await person.get('/v1/api-keys');
    return { user: `/v1/users/${person.userId}`, key: `/v1/api-keys/${keys.body.data[0].id}`, elsewhere };
  };

  const ask = (client: Client) =>
    client.post('/v1/products', { name: 'Tea', price: { amount: 1, currency: 'EUR' } });

  const becomes = (client: Client, hoped: number): Promise<Json> =>
    until(
      () => ask(client),
      ({ status }) => status === hoped,
      soon,
    );

  it('when a key is revoked, a user is deleted, a role is changed', async () => {
    const [revoked, deleted, demoted] = [await known(), await known(), await known()];
    expectNothing(await here.operator.delete(revoked.key));
    expectNothing(await here.operator.delete(deleted.user));
    expectOne(await here.operator.patch(demoted.user, { role: 'customer' }));
    const answers = await Promise.all([
      becomes(revoked.elsewhere, 401),
      becomes(deleted.elsewhere, 401),
      becomes(demoted.elsewhere, 403),
    ]);
    const codes = answers.map(({ body }) => body.error.code);
    expect(codes).to.deep.equal(['UNAUTHORIZED', 'UNAUTHORIZED', 'FORBIDDEN']);
  });

  it('and takes part in everything else at once', async () => {
    const product = expectCreated(await ask(here.operator), '/v1/products');
    expect(expectOne(await there.operator.get(`/v1/products/${product.id}`))).to.deep.equal(product);
  });
});
