import { expect } from 'chai';
import { Client } from '../../http/support/client.ts';
import { expectCreated, expectNoContent, expectOne } from '../../http/support/expectations.ts';
import { freshDatabase } from '../../support/postgres.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { until } from '../../support/until.ts';
import { Apps } from '../support/apps.ts';

/** How long a credential is cached, and how long a key lasts. `revocation.e2e.test.ts` waits for the default. */
const credentialTtlMs = 200;
const lifetimeMs = 500;

describe('Of two servers of one database, the one that did not handle the change, on SQLite and on PostgreSQL,', () => {
  const inFolder = temporaryFolder();
  const pairs = { sqlite: new Apps(), postgres: new Apps() };
  let drop: (() => Promise<void>) | undefined;

  before(async () => {
    const database = await freshDatabase();
    ({ drop } = database);
    await pairs.sqlite.startMany(
      2,
      { DATABASE_URL: `sqlite:${inFolder('portico.db')}` },
      { credentialTtlMs },
    );
    await pairs.postgres.startMany(2, { DATABASE_URL: database.url }, { credentialTtlMs });
  });
  after(async () => {
    await Promise.all(Object.values(pairs).map((pair) => pair.end()));
    await drop?.();
  });

  const ask = (client: Client) =>
    client.post('/v1/products', { name: 'Tea', price: { amount: 1, currency: 'EUR' } });

  /** A user with a key that both have cached, and a client of the second that uses it. */
  const known = async (pair: Apps, name: string, fields: object = {}) => {
    const here = pair.at(0);
    const details = { email: `${name}@example.com`, name: 'Ada', role: 'staff' };
    const user = expectCreated(await here.post('/v1/users', details), '/v1/users');
    const asked = { user_id: user.id, name: 'Key', ...fields };
    const key = expectCreated(await here.post('/v1/api-keys', asked), '/v1/api-keys');
    const elsewhere = new Client(() => pair.at(1).base, key.token);
    for (const client of [new Client(() => here.base, key.token), elsewhere]) {
      expect((await ask(client)).status).to.equal(201);
    }
    return { user: `/v1/users/${user.id}`, key: `/v1/api-keys/${key.id}`, elsewhere };
  };

  const becomes = async (client: Client, hoped: string): Promise<void> => {
    await until(
      async () => {
        const { status, body } = await ask(client);
        return `${status} ${body.error?.code}`;
      },
      (answer) => answer === hoped,
    );
  };

  it('applies soon that a key is revoked or expires, a user is deleted, or a role is removed', async () => {
    const obey = async (pair: Apps): Promise<void> => {
      const revoked = await known(pair, 'revoked');
      const deleted = await known(pair, 'deleted');
      const demoted = await known(pair, 'demoted');
      const end = { expires_at: new Date(Date.now() + lifetimeMs).toISOString() };
      const expires = await known(pair, 'expires', end);
      expectNoContent(await pair.at(0).delete(revoked.key));
      expectNoContent(await pair.at(0).delete(deleted.user));
      expectOne(await pair.at(0).patch(demoted.user, { role: 'customer' }));
      await Promise.all([
        becomes(revoked.elsewhere, '401 UNAUTHORIZED'),
        becomes(deleted.elsewhere, '401 UNAUTHORIZED'),
        becomes(demoted.elsewhere, '403 FORBIDDEN'),
        becomes(expires.elsewhere, '401 UNAUTHORIZED'),
      ]);
    };
    await Promise.all(Object.values(pairs).map(obey));
  });

  it('applies every other change at once', async () => {
    for (const pair of Object.values(pairs)) {
      const product = expectCreated(await ask(pair.at(0)), '/v1/products');
      expect(expectOne(await pair.at(1).get(`/v1/products/${product.id}`))).to.deep.equal(product);
    }
  });
});
