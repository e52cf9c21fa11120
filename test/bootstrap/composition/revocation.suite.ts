import { expect } from 'chai';
import { Client } from '../../http/support/client.ts';
import { expectCreated, expectNoContent, expectOne } from '../../http/support/expectations.ts';
import { freshDatabase } from '../../support/postgres.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { until } from '../../support/until.ts';

/** Servers that share a database. */
interface Servers {
  /** A client of one of them, as the operator. */
  at(index: number): Client;
  end(): Promise<void>;
}

/**
 * Changes the rights of users at one of two servers, and asks the other one. Both databases are tested concurrently, because each
 * test waits.
 * @param startTwo starts them on a database
 * @param lifetimeMs how long a key lasts that expires
 * @param timeoutMs how long an applied change is waited for
 */
export const describeRevocation = (
  title: string,
  startTwo: (databaseUrl: string) => Promise<Servers>,
  { lifetimeMs, timeoutMs }: { readonly lifetimeMs: number; readonly timeoutMs: number },
): void =>
  void describe(title, function () {
    this.timeout(4 * timeoutMs + 10_000);
    const inFolder = temporaryFolder();
    const pairs: Servers[] = [];
    let drop: (() => Promise<void>) | undefined;

    before(async () => {
      const database = await freshDatabase();
      ({ drop } = database);
      for (const url of [`sqlite:${inFolder('portico.db')}`, database.url]) pairs.push(await startTwo(url));
    });
    after(async () => {
      await Promise.all(pairs.map((pair) => pair.end()));
      await drop?.();
    });

    const ask = (client: Client) =>
      client.post('/v1/products', { name: 'Tea', price: { amount: 1, currency: 'EUR' } });

    /** A user with a key that both servers have cached, and a client of the second that uses it. */
    const known = async (pair: Servers, name: string, fields: object = {}) => {
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

    const becomes = async (client: Client, hoped: string, within = timeoutMs): Promise<void> => {
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
      const obey = async (pair: Servers): Promise<void> => {
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
          becomes(expires.elsewhere, '401 UNAUTHORIZED', lifetimeMs + timeoutMs),
        ]);
      };
      await Promise.all(pairs.map(obey));
    });

    it('applies every other change at once', async () => {
      for (const pair of pairs) {
        const product = expectCreated(await ask(pair.at(0)), '/v1/products');
        expect(expectOne(await pair.at(1).get(`/v1/products/${product.id}`))).to.deep.equal(product);
      }
    });
  });
