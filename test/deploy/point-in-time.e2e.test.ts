import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Client } from 'pg';
import { type Server, startServer } from '../bootstrap/support/server.ts';
import type { Json } from '../http/support/client.ts';
import { expectCreated } from '../http/support/expectations.ts';
import { StripeProcess } from '../stripe/stripe-process.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { until } from '../support/until.ts';
import { Buyer } from './shop.ts';

const query = async (url: string, text: string): Promise<readonly Json[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Json>(text)).rows;
  } finally {
    await client.end();
  }
};

/** A base backup taken under load, and the archived log replayed up to a named restore point. */
describe('A base backup of PostgreSQL with its archived log', () => {
  const instant = 'before_the_mistake';
  let archive: string;
  let primary: PostgresServer;
  let restored: PostgresServer | undefined;
  let stripe: StripeProcess;
  let server: Server;
  let buyer: Buyer;

  const start = (url: string): Promise<Server> =>
    startServer({
      DATABASE_URL: url,
      PAYMENT_PROVIDER: 'stripe',
      STRIPE_SECRET_KEY: 'sk_test_unknown',
      STRIPE_API_BASE: stripe.url,
    });

  before(async () => {
    archive = mkdtempSync(join(tmpdir(), 'portico-archive-'));
    // If the tests run as root, PostgreSQL runs as another user.
    chmodSync(archive, 0o777);
    primary = await PostgresServer.make(['archive_mode=on', `archive_command=cp %p ${archive}/%f`]);
    await primary.start();
    stripe = await StripeProcess.start();
    server = await start(primary.url);
    buyer = new Buyer(() => server);
    await buyer.open();
  });
  after(async () => {
    await server?.program.kill();
    await stripe?.stop();
    await restored?.remove();
    await primary?.remove();
    rmSync(archive, { recursive: true, force: true });
  });

  it('restores each payment acknowledged before that point, once, with its response, and no later one', async () => {
    const lateOrder = await buyer.order();
    buyer.start(4);
    const bought = (count: number) =>
      until(
        async () => buyer.paid.length,
        (paid) => paid >= count,
        30_000,
      );
    await bought(20);
    restored = await PostgresServer.following(primary, [
      'primary_conninfo=',
      'archive_mode=off',
      `restore_command=cp ${archive}/%f %p`,
      `recovery_target_name=${instant}`,
      'recovery_target_action=promote',
    ]);
    await bought(buyer.paid.length + 20);
    await buyer.stop();
    const known = [...buyer.paid];
    await query(primary.url, `select pg_create_restore_point('${instant}')`);
    const key = randomUUID();
    const late = expectCreated(await buyer.pay(lateOrder, key), '/v1/payments');
    const [written] = await query(primary.url, 'select pg_walfile_name(pg_switch_wal()) as name');
    await until(
      () => query(primary.url, 'select last_archived_wal as name from pg_stat_archiver'),
      ([archived]) => (archived.name ?? '') >= written.name,
      30_000,
    );
    await server.program.kill();
    await primary.kill();

    const { url } = restored;
    await restored.start();
    await until(
      () => query(url, 'select pg_is_in_recovery() as recovering'),
      ([row]) => row.recovering === false,
      30_000,
    );
    server = await start(url);
    for (const { order, key, payment, text } of known) {
      expect(await buyer.paymentsOf(order)).to.deep.equal([payment]);
      expect((await buyer.pay(order, key)).text).to.equal(text);
    }
    const { charges } = await stripe.ledger();
    expect(charges).to.have.lengthOf(known.length + 1);
    expect(charges.map(({ payment_id }) => payment_id)).to.include(late.id);
    expect(await buyer.paymentsOf(lateOrder)).to.deep.equal([]);
  });
});
