import { expect } from 'chai';
import { Client } from 'pg';
import { connectTo } from '#adapters/persistence/postgres/connection/connect-to.ts';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import { type UserLsns, userLsns } from '#adapters/persistence/postgres/replicas/user-lsn.ts';
import type { Store } from '#adapters/persistence/store.ts';
import { idempotency } from '#application/idempotency/idempotency.ts';
import type { Product } from '#domain/product.ts';
import type { UserId } from '#domain/user.ts';
import { atOnce, rejectionOf } from '#test/contracts/harness.ts';
import { aProduct, aUser, noon } from '#test/contracts/samples.ts';
import { newId } from '#test/support/machine.ts';
import { PostgresServer } from '#test/support/postgres-server.ts';
import { until } from '#test/support/until.ts';

/** The replica's configured lag, and the greatest with which it serves reads: below the default, so that no test waits for it. */
const [lag, maxReplicaLagMs] = [600, 2_500];

const context = (user: UserId, milliseconds = 60_000) => ({
  actor: user,
  deadline: performance.now() + milliseconds,
});

describe('A replica of PostgreSQL', () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  /** Two stores share nothing but the servers, as two processes do. */
  let here: Store;
  let there: Store;
  before(async () => {
    primary = await PostgresServer.make();
    await primary.start();
    await (await openPostgres({ url: primary.url })).close();
    standby = await PostgresServer.following(primary, [`recovery_min_apply_delay=${lag}`]);
    await standby.start();
    const open = () => openPostgres({ url: primary.url, replicas: [standby.url], maxReplicaLagMs });
    [here, there] = [await open(), await open()];
  });
  after(async () => {
    await here.close();
    await there.close();
    await standby.remove();
    await primary.remove();
  });

  const add = async (to: Store, user: UserId, product = aProduct()): Promise<Product> => {
    await to.unitOfWork.run(({ products }) => products.add(product), context(user));
    return product;
  };
  const sees = async (from: Store, user: UserId, { id }: Product): Promise<boolean> =>
    (await from.unitOfWork.read(({ products }) => products.find(id), context(user))) !== undefined;

  const tell = async (server: PostgresServer, text: string): Promise<unknown[]> => {
    const client = new Client({ connectionString: server.url });
    await client.connect();
    const { rows } = await client.query<Record<string, unknown>>(text);
    await client.end();
    return rows;
  };
  const ask = (text: string) => tell(primary, text);

  const withPositions = async (act: (positions: UserLsns) => Promise<void>): Promise<void> => {
    const connections = connectTo(primary.url, 1, 3_000);
    await act(userLsns(connections)).finally(() => connections.close());
  };

  /** A user who has written nothing does not yet read what another user has just written. */
  const isBehind = async (): Promise<boolean> =>
    !(await sees(there, aUser().id, await add(here, aUser().id)));
  const isUsed = () => until(isBehind, (behind) => behind, 15_000);

  it('serves reads, and may lag behind the writes of other users', async () => {
    await isUsed();
    const product = await add(here, aUser().id);
    const stranger = aUser().id;
    await until(
      () => sees(there, stranger, product),
      (seen) => seen,
    );
  });

  it('never serves users what they have just written themselves, through any process', async () => {
    await isUsed();
    for (let round = 0; round < 20; round += 1) {
      const user = aUser().id;
      const product = await add(here, user);
      expect(await sees(there, user, product), 'through another process').to.equal(true);
      expect(await sees(here, user, product), 'through the same process').to.equal(true);
      const next = await add(there, user);
      expect(await sees(here, user, next), 'when both have written').to.equal(true);
    }
    await isUsed();
  });

  it('serves no read that is to see the latest', async () => {
    await isUsed();
    for (let round = 0; round < 20; round += 1) {
      const { id } = await add(here, aUser().id);
      const stranger = { ...context(aUser().id), readsLatest: true };
      expect(await there.unitOfWork.read(({ products }) => products.find(id), stranger)).not.to.equal(
        undefined,
      );
    }
    await isUsed();
  });

  it('never serves a stale read, though a hundred users write and read at once', async () => {
    await isUsed();
    const each = atOnce(100, async (index) => {
      const user = aUser().id;
      const [writer, reader] = index % 2 ? [here, there] : [there, here];
      return sees(reader, user, await add(writer, user));
    });
    expect(new Set(await Promise.all(each))).to.deep.equal(new Set([true]));
  });

  it('shows the writes of units of work that arrive together', async () => {
    await isUsed();
    const adding = atOnce(20, async () => {
      const user = aUser().id;
      return { user, product: await add(here, user, aProduct({ name: 'At once' })) };
    });
    const all = await Promise.all(adding);
    const seen = await Promise.all(all.map(({ user, product }) => sees(there, user, product)));
    expect(new Set(seen)).to.deep.equal(new Set([true]));
  });

  it('lets the same users write through two processes at once, in any order', async () => {
    await ask(
      'create function nap() returns trigger language plpgsql as $$ begin ' +
        'perform pg_sleep(0.02); return new; end $$; ' +
        'create trigger nap before insert on user_positions for each row execute function nap()',
    );
    const users = Array.from({ length: 5 }, () => aUser().id);
    await Promise.all(
      [users, users.toReversed()].map((each) => withPositions((positions) => positions.record(each))),
    );
    await ask('drop function nap cascade');
  });

  it('keeps LSNs for a minute, and their deletion waits for no lock', async () => {
    const [held, free, fresh] = [aUser().id, aUser().id, aUser().id];
    await withPositions((positions) => positions.record([held, free]));
    await ask("update user_positions set noted_at = now() - interval '61 seconds'");
    await withPositions((positions) => positions.record([fresh]));
    const holder = new Client({ connectionString: primary.url });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select from user_positions where user_id = $1 for update', [held]);
    await withPositions((positions) => positions.deleteExpired());
    await holder.query('rollback');
    await holder.end();
    const kept = await ask('select user_id from user_positions where lineage is null order by noted_at');
    expect(kept).to.deep.equal([{ user_id: held }, { user_id: fresh }]);
  });

  it('lets commits be acknowledged when their LSNs cannot be recorded all at once', async () => {
    await isUsed();
    await ask(
      'create sequence notes; create function refuse() returns trigger language plpgsql as $$ begin ' +
        "if nextval('notes') = 1 then raise 'Not now.'; end if; return new; end $$; " +
        'create trigger refuse before insert or update on user_positions for each row execute function refuse()',
    );
    const adding = atOnce(20, async () => {
      const user = aUser().id;
      return { user, product: await add(here, user) };
    });
    const all = await Promise.all(adding);
    const seen = await Promise.all(all.map(({ user, product }) => sees(there, user, product)));
    expect(new Set(seen)).to.deep.equal(new Set([true]));
    // One that failed, and one for each user.
    expect(await ask("select nextval('notes')::int as next")).to.deep.equal([{ next: 22 }]);
    await ask('drop function refuse cascade; drop sequence notes');
  });

  it('keeps no user waiting while the LSN of another user cannot be recorded', async () => {
    const [stuck, other] = [aUser().id, aUser().id];
    await add(here, stuck);
    const holder = new Client({ connectionString: primary.url });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select from user_positions where user_id = $1 for update', [stuck]);
    let hasEnded = false;
    const waiting = add(here, stuck).finally(() => {
      hasEnded = true;
    });
    await add(here, other);
    expect(hasEnded).to.equal(false);
    await holder.query('rollback');
    await holder.end();
    await waiting;
  });

  it('serves no user of the same process a write before its LSN is recorded', async () => {
    await isUsed();
    const user = aUser().id;
    const product = aProduct();
    await ask(
      "create function refuse() returns trigger language plpgsql as $$ begin raise 'Not now.'; end $$; " +
        'create trigger refuse before insert or update on user_positions for each row ' +
        `when (new.user_id = '${user}') execute function refuse()`,
    );
    await rejectionOf(add(here, user, product));
    await rejectionOf(sees(here, user, product));
    await ask('drop function refuse cascade');
    for (const store of [here, there]) expect(await sees(store, user, product)).to.equal(true);
  });

  it('shows users what a request made whose process ended behind its commit, once a retry has replayed the response', async () => {
    await isUsed();
    const ended = await openPostgres({ url: primary.url });
    const request = { userId: aUser().id, key: 'k', role: 'customer', fingerprint: 'f' } as const;
    const [product, again] = [aProduct(), aProduct()];
    const retry = ({ unitOfWork }: Store, added: Product) =>
      idempotency({ unitOfWork, clock: { now: () => noon }, newId, leaseMs: 1_000 }).command(
        request,
        ({ products }) => products.add(added),
        () => 'done',
      );
    expect(await retry(ended, product)).to.have.property('outcome');
    await ended.close();
    expect(await retry(there, again)).to.deep.equal({ replayed: 'done' });
    for (const store of [there, here]) expect(await sees(store, request.userId, product)).to.equal(true);
  });

  it('serves users who wrote something, once it has replayed that', async () => {
    const user = aUser().id;
    const own = await add(here, user);
    await until(
      async () => {
        const others = await add(here, aUser().id);
        expect(await sees(there, user, own)).to.equal(true);
        return sees(there, user, others);
      },
      (seen) => !seen,
    );
  });

  it('serves no read without a context', async () => {
    await isUsed();
    const { id } = await add(here, aUser().id);
    expect(await there.unitOfWork.read(({ products }) => products.find(id))).to.include({ id });
  });

  it('may serve one process when all others record their LSNs, as they do with the primary as their replica', async () => {
    await isUsed();
    const noting = await openPostgres({ url: primary.url, replicas: [primary.url] });
    for (let round = 0; round < 20; round += 1) {
      const user = aUser().id;
      const product = await add(noting, user);
      for (const store of [there, noting]) expect(await sees(store, user, product)).to.equal(true);
      const others = await add(here, aUser().id);
      expect(await sees(noting, user, others), 'what others wrote').to.equal(true);
    }
    await noting.close();
    await isUsed();
  });

  it('needs no connection besides the one that has committed: a commit is acknowledged, however busy the pool is', async () => {
    const small = await openPostgres({ url: primary.url, poolSize: 1, replicas: [standby.url] });
    const begun = Promise.withResolvers<void>();
    const queued = Promise.withResolvers<void>();
    const first = small.unitOfWork.run(async ({ products }) => {
      const product = aProduct();
      // A transaction begins with its first lock.
      await products.lock(product.id);
      await products.add(product);
      begun.resolve();
      await queued.promise;
    }, context(aUser().id));
    await begun.promise;
    // It gets the only connection next, and keeps it until the first commit has been acknowledged.
    const second = small.unitOfWork.run(async ({ products }) => {
      await products.lock(aProduct().id);
      await first;
    }, context(aUser().id));
    await until(
      async () => small.connections?.().waiting ?? 0,
      (waiting) => waiting > 0,
    );
    queued.resolve();
    await first;
    await second;
    await small.close();
  });

  it('serves reads after the LSNs were lost, as in a crash, only once it has replayed all of those writes', async () => {
    await isUsed();
    const user = aUser().id;
    const product = await add(here, user);
    await ask('truncate user_positions');
    for (const store of [there, here]) expect(await sees(store, user, product)).to.equal(true);
    for (let round = 0; round < 20; round += 1) {
      expect(await sees(there, user, product)).to.equal(true);
    }
    await isUsed();
    expect(await sees(there, user, product)).to.equal(true);
  });

  it('that stops in the middle fails no read, and serves reads again when it is back', async () => {
    await isUsed();
    const product = await add(here, aUser().id);
    const stopping = standby.stop();
    const reading = atOnce(50, () => sees(there, aUser().id, product));
    await stopping;
    await Promise.all(reading);
    expect(await sees(there, aUser().id, product)).to.equal(true);
    await standby.start();
    await isUsed();
  });

  it('that lags too much serves no reads', async () => {
    await isUsed();
    await tell(standby, 'select pg_wal_replay_pause()');
    const product = await add(here, aUser().id);
    await until(
      () => sees(there, aUser().id, product),
      (seen) => seen,
      15_000,
    );
    await tell(standby, 'select pg_wal_replay_resume()');
    await isUsed();
  });

  it('that was promoted serves no reads', async () => {
    await isUsed();
    await tell(standby, 'select pg_promote()');
    await until(isBehind, (behind) => !behind);
    for (let round = 0; round < 20; round += 1) expect(await isBehind()).to.equal(false);
  });
});
