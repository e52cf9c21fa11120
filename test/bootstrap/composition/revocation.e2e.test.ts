import { expect } from 'chai';
import { Client } from '../../http/support/client.ts';
import { expectCreated, expectNoContent, expectOne } from '../../http/support/expectations.ts';
import { freshDatabase } from '../../support/postgres.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { until } from '../../support/until.ts';
import { Fleet } from '../support/fleet.ts';

/**
 * Every process applies a change of rights within five seconds (`test/contracts/authenticator.ts`), and a busy machine shows it later.
 */
const soon = 20_000;
const lifetime = 2_000;

/**
 * `revocation.store.test.ts` has servers that share one process. Both databases are tested concurrently, because each test waits.
 */
describe('Of two processes, the one that did not handle the change, on SQLite and on PostgreSQL,', function () {
  this.timeout(90_000);
  const inFolder = temporaryFolder();
  const fleets = { sqlite: new Fleet(), postgres: new Fleet() };
  let drop: (() => Promise<void>) | undefined;

  before(async () => {
    const database = await freshDatabase();
    ({ drop } = database);
    await fleets.sqlite.start(2, { DATABASE_URL: `sqlite:${inFolder('portico.db')}` });
    await fleets.postgres.start(2, { DATABASE_URL: database.url });
  });
  after(async () => {
    await Promise.all(Object.values(fleets).map((fleet) => fleet.end()));
    await drop?.();
  });

  const ask = (client: Client) =>
    client.post('/v1/products', { name: 'Tea', price: { amount: 1, currency: 'EUR' } });

  /** A user with a key that both processes have cached, and a client of the second process that uses it. */
  const known = async (fleet: Fleet, name: string, fields: object = {}) => {
    const here = fleet.at(0);
    const details = { email: `${name}@example.com`, name: 'Ada', role: 'staff' };
    const user = expectCreated(await here.post('/v1/users', details), '/v1/users');
    const asked = { user_id: user.id, name: 'Key', ...fields };
    const key = expectCreated(await here.post('/v1/api-keys', asked), '/v1/api-keys');
    const elsewhere = new Client(() => fleet.at(1).base, key.token);
    for (const client of [new Client(() => here.base, key.token), elsewhere]) {
      expect((await ask(client)).status).to.equal(201);
    }
    return { user: `/v1/users/${user.id}`, key: `/v1/api-keys/${key.id}`, elsewhere };
  };

  const becomes = async (client: Client, hoped: string, within = soon): Promise<void> => {
    await until(
      async () => {
        const { status, body } = await ask(client);
        return `${status} ${body.error?.code}`;
      },
      (answer) => answer === hoped,
      within,
    );
  };

  it('applies soon that a key is revoked or expires, a user is deleted, or a role is removed', async () => {
    const obey = async (fleet: Fleet): Promise<void> => {
      const revoked = await known(fleet, 'revoked');
      const deleted = await known(fleet, 'deleted');
      const demoted = await known(fleet, 'demoted');
      const end = { expires_at: new Date(Date.now() + lifetime).toISOString() };
      const expires = await known(fleet, 'expires', end);
      expectNoContent(await fleet.at(0).delete(revoked.key));
      expectNoContent(await fleet.at(0).delete(deleted.user));
      expectOne(await fleet.at(0).patch(demoted.user, { role: 'customer' }));
      await Promise.all([
        becomes(revoked.elsewhere, '401 UNAUTHORIZED'),
        becomes(deleted.elsewhere, '401 UNAUTHORIZED'),
        becomes(demoted.elsewhere, '403 FORBIDDEN'),
        becomes(expires.elsewhere, '401 UNAUTHORIZED', lifetime + soon),
      ]);
    };
    await Promise.all(Object.values(fleets).map(obey));
  });

  it('applies every other change at once', async () => {
    for (const fleet of Object.values(fleets)) {
      const product = expectCreated(await ask(fleet.at(0)), '/v1/products');
      expect(expectOne(await fleet.at(1).get(`/v1/products/${product.id}`))).to.deep.equal(product);
    }
  });
});
