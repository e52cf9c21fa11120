import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { clockAheadBy } from '../bootstrap/clocks/clock-flags.ts';
import { type Ended, ending, portico } from '../bootstrap/support/portico.ts';
import { type Server, startServer } from '../bootstrap/support/server.ts';
import type { Json } from '../http/support/client.ts';
import { expectCreated, expectOne } from '../http/support/expectations.ts';
import type { Program } from '../lab/program.ts';
import { StripeProcess } from '../stripe/stripe-process.ts';
import { untilFrozen } from '../support/frozen.ts';
import { startFlags } from '../support/start-flags.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { until } from '../support/until.ts';
import { Buyer } from './shop.ts';

/** Longer than from the payment in progress until the disaster. The clock of the server that is restored is as far ahead. */
const leaseMs = 120_000;

describe('A backup of SQLite', () => {
  const place = temporaryFolder();
  let stripe: StripeProcess;
  let server: Server;
  let buyer: Buyer;
  /** Payments before the backup; after it; and in progress during it. */
  let before: readonly Awaited<ReturnType<Buyer['buy']>>[];
  let late: { readonly order: Json; readonly key: string; readonly payment: Json };
  let underWay: { readonly order: Json; readonly key: string };

  const start = (url: string, flags: readonly string[] = []): Promise<Server> =>
    startServer(
      {
        DATABASE_URL: url,
        PAYMENT_PROVIDER: 'stripe',
        STRIPE_SECRET_KEY: 'sk_test_unknown',
        STRIPE_API_BASE: stripe.url,
        PAYMENT_TIMEOUT_MS: `${leaseMs}`,
        IDEMPOTENCY_LEASE_MS: `${leaseMs}`,
        RECONCILE_AFTER_MS: '500',
      },
      { flags: [...startFlags, ...flags] },
    );

  const run = (url: string, ...words: readonly string[]): Promise<Ended> =>
    ending(portico(words, { settings: { DATABASE_URL: url } }));

  const original = () => `sqlite:${place('shop.db')}`;
  const restored = () => `sqlite:${place('elsewhere', 'shop.db')}`;

  after(async () => {
    await server?.program.kill();
    await stripe?.stop();
  });

  it('runs while orders are placed and paid, and creates one file that only its owner can read', async () => {
    stripe = await StripeProcess.start();
    server = await start(original());
    buyer = new Buyer(() => server);
    await buyer.open();
    const [lateOrder, slowOrder] = [await buyer.order(), await buyer.order()];
    buyer.start(4);
    await until(
      async () => buyer.paid.length,
      (count) => count >= 50,
    );
    await buyer.stop();
    // At the time of the backup one payment has been charged and its response is still on its way.
    await stripe.setNetworkFaults({ stallMilliseconds: 2 * leaseMs });
    await stripe.script('stall');
    underWay = { order: slowOrder, key: randomUUID() };
    const slow = buyer.pay(underWay.order, underWay.key).catch((error: Error) => error);
    await until(
      async () => (await stripe.ledger()).charges.length,
      (charges) => charges === buyer.paid.length + 1,
    );
    before = [...buyer.paid];
    buyer.start(4);
    const { code, errors } = await run(original(), 'backup', place('shop.backup'));
    expect(errors).to.match(/^Backed up [\d.]+ MiB to \S+shop\.backup and verified the copy\.\n$/);
    expect(code).to.equal(0);
    await buyer.stop();
    expect(buyer.paid.length).to.be.greaterThan(before.length);
    const key = randomUUID();
    const payment = expectCreated(await buyer.pay(lateOrder, key), '/v1/payments');
    late = { order: lateOrder, key, payment };
    await server.program.kill();
    expect(await slow).to.be.instanceOf(Error);
    expect(statSync(place('shop.backup')).mode & 0o777).to.equal(0o600);
    const left = readdirSync(place()).filter((name) => name.startsWith('shop.backup'));
    expect(left).to.deep.equal(['shop.backup']);
  });

  it('is restored elsewhere, and has each payment acknowledged before it, once, with its response', async () => {
    const { code, errors } = await run(restored(), 'restore', place('shop.backup'));
    expect(errors).to.match(/^Restored [\d.]+ MiB to \S+shop\.db and verified it\.\n$/);
    expect(code).to.equal(0);
    server = await start(restored(), clockAheadBy(leaseMs));
    for (const { order, key, payment, text } of before) {
      expect(await buyer.paymentsOf(order)).to.deep.equal([payment]);
      const answer = await buyer.pay(order, key);
      expect(answer.headers.get('Idempotent-Replayed')).to.equal('true');
      expect(answer.text).to.equal(text);
    }
    const { charges } = await stripe.ledger();
    for (const { payment } of before) {
      expect(charges.filter(({ payment_id }) => payment_id === payment.id)).to.have.lengthOf(1);
    }
  });

  it('has payments in progress settled by what the provider did', async () => {
    const [payment] = await until(
      () => buyer.paymentsOf(underWay.order),
      ([payment]) => payment.status !== 'pending',
      40_000,
    );
    expect(payment.status).to.equal('succeeded');
    const { charges } = await stripe.ledger();
    const found = charges.filter(({ payment_id }) => payment_id === payment.id);
    expect(found.map(({ id }) => id)).to.deep.equal([payment.provider_reference]);
  });

  it('lacks payments made after it: repeating them pays twice, as docs/operations/back-up.md warns', async () => {
    expect(await buyer.paymentsOf(late.order)).to.deep.equal([]);
    const again = expectCreated(await buyer.pay(late.order, late.key), '/v1/payments');
    expect(again.id).not.to.equal(late.payment.id);
    const { charges } = await stripe.ledger();
    const ids = charges.map(({ payment_id }) => payment_id);
    expect(ids).to.include.members([late.payment.id, again.id]);
    expectOne(await server.client.get(`/v1/payments/${again.id}`));
  });

  it('is never overwritten, and restores over no database and no file beside one', async () => {
    const kept = readFileSync(place('shop.backup'));
    const refused = async (url: string, ...words: readonly string[]) => {
      const { code, errors } = await run(url, ...words);
      expect(errors).to.match(/^portico: \S+ exists already, and is not overwritten\.\n$/);
      expect(code).to.equal(1);
    };
    await refused(restored(), 'backup', place('shop.backup'));
    expect(readFileSync(place('shop.backup')).equals(kept)).to.equal(true);
    await refused(restored(), 'restore', place('shop.backup'));
    writeFileSync(place('other.db-wal'), '');
    await refused(`sqlite:${place('other.db')}`, 'restore', place('shop.backup'));
  });

  it('is not restored when it is damaged or no backup, and leaves no files behind', async () => {
    const target = `sqlite:${place('fresh', 'shop.db')}`;
    const damaged = readFileSync(place('shop.backup'));
    // After the first pages, so that it still looks like a database.
    damaged.fill(0xa5, damaged.length / 2, damaged.length / 2 + 16_384);
    writeFileSync(place('damaged'), damaged);
    writeFileSync(place('text'), 'This is no database.');
    for (const [name, reason] of [
      ['damaged', /^portico: \S+damaged (is damaged|cannot be copied): .+\n$/],
      ['text', /^portico: \S+text cannot be copied: file is not a database\.\n$/],
      ['none', /^portico: \S+none cannot be used: no such file or directory \(ENOENT\)\.\n$/],
    ] as const) {
      const { code, errors } = await run(target, 'restore', place(name));
      expect(errors).to.match(reason);
      expect(code).to.equal(1);
      expect(readdirSync(dirname(place('fresh', 'shop.db')))).to.deep.equal([]);
    }
  });

  /** Stops a program within its copy of the pages. It is stopped at each look, so it cannot be done before it is seen. */
  const stopWhileCopying = async (program: Program, copy: string): Promise<void> => {
    const unfinished = `${copy}.${program.id}.unfinished`;
    while (program.code === undefined) {
      program.signal('SIGSTOP');
      await untilFrozen(program.id);
      if ((statSync(unfinished, { throwIfNoEntry: false })?.size ?? 0) > 0) return;
      program.signal('SIGCONT');
      await pause(10);
    }
    throw new Error(`It has ended before it was seen to copy: ${program.errors}`);
  };

  it('leaves no files when it is interrupted', async () => {
    const big = `sqlite:${place('big.db')}`;
    await run(big, 'seed', '--products', '40000', '--quiet');
    const program = portico(['backup', place('big.backup')], { settings: { DATABASE_URL: big } });
    await stopWhileCopying(program, place('big.backup'));
    program.signal('SIGTERM');
    program.signal('SIGCONT');
    expect(await program.ended()).to.equal(143);
    expect(readdirSync(place()).filter((name) => name.startsWith('big.backup'))).to.deep.equal([]);
  });

  it('removes what killed backups have left, and nothing of one that runs', async () => {
    const big = `sqlite:${place('big.db')}`;
    const begin = async (file: string) => {
      const program = portico(['backup', place('copies', file)], { settings: { DATABASE_URL: big } });
      await stopWhileCopying(program, place('copies', file));
      return program;
    };
    mkdirSync(place('copies'));
    const copies = () => readdirSync(place('copies'));
    const [monday, tuesday] = [await begin('monday.db'), await begin('tuesday.db')];
    await monday.kill();
    const running = copies().filter((name) => name.startsWith('tuesday.db'));
    expect(copies()).to.include(`monday.db.${monday.id}.unfinished`);
    expect((await run(big, 'backup', place('copies', 'wednesday.db'))).code).to.equal(0);
    expect(copies()).to.have.members([...running, 'wednesday.db']);
    tuesday.signal('SIGCONT');
    expect(await tuesday.ended()).to.equal(0);
    expect(copies()).to.have.members(['tuesday.db', 'wednesday.db']);
    // A restore copies the same way.
    const killed = portico(['restore', place('copies', 'tuesday.db')], {
      settings: { DATABASE_URL: `sqlite:${place('copies', 'shop.db')}` },
    });
    await stopWhileCopying(killed, place('copies', 'shop.db'));
    await killed.kill();
    expect((await run(big, 'backup', place('copies', 'thursday.db'))).code).to.equal(0);
    expect(copies()).to.have.members(['tuesday.db', 'wednesday.db', 'thursday.db']);
  });

  it('rejects PostgreSQL, which has its own tools, and databases in memory', async () => {
    const refusal = async (url: string) => (await run(url, 'backup', place('x'))).errors;
    expect(await refusal('postgres://db/shop')).to.match(/^portico: DATABASE_URL .*docs\/operations\.md/);
    expect(await refusal('memory:')).to.match(/^portico: DATABASE_URL .*in memory/);
    copyFileSync(place('shop.backup'), place('copy.db'));
    expect((await run(`sqlite:${place('copy.db')}`, 'backup', place('y'))).code).to.equal(0);
  });
});
