import { expect } from 'chai';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import type { Store } from '#adapters/persistence/store.ts';
import { idempotency } from '#application/idempotency/idempotency.ts';
import type { IdempotencyRecord } from '#application/ports/idempotency.ts';
import type { Repositories } from '#application/ports/repositories.ts';
import type { Work } from '#application/ports/unit-of-work.ts';
import { Instant } from '#domain/instant.ts';
import type { UserId } from '#domain/user.ts';
import { aKeyResource, aProduct, noon } from '#test/contracts/samples.ts';
import { newId } from '#test/support/machine.ts';
import { postgresOfEachTest } from './opened.ts';

const day = 24 * 60 * 60 * 1000;
const at = (days: number): Instant => Instant.plus(noon, days * day);

describe('Idempotency keys on PostgreSQL', () => {
  const postgres = postgresOfEachTest();

  const add = async (
    createdAt: Instant,
    details: Partial<IdempotencyRecord> = {},
  ): Promise<IdempotencyRecord> => {
    const key: IdempotencyRecord = {
      ...{ userId: newId(), key: 'k', role: 'customer', fingerprint: 'f' },
      ...{ createdAt, response: '', lease: null, resource: aKeyResource(createdAt) },
      ...details,
    };
    await postgres.store.unitOfWork.run(({ idempotencyKeys }) => idempotencyKeys.add(key));
    return key;
  };
  const forget = (createdBefore: Instant) =>
    postgres.store.unitOfWork.run(({ idempotencyKeys }) => idempotencyKeys.deleteExpired(createdBefore));
  const parts = async (): Promise<unknown[]> => {
    const rows = await postgres.database.query(
      "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'idempotency_keys'::regclass order by 1",
    );
    return rows.map(({ name }) => name);
  };
  const count = async (): Promise<number> =>
    (await postgres.database.query('select from idempotency_keys')).length;

  it('fill two partitions or three on any day, and are dropped with the last key of their partition', async () => {
    for (let hour = 0; hour < 24 * 5; hour += 6) {
      await add(at(hour / 24));
      await forget(at(hour / 24 - 1));
      expect((await parts()).length).to.be.lessThan(4);
      // The keys of at most two days, and the rest of their partitions.
      expect(await count()).to.be.lessThan(4 * 2 + 2);
    }
    expect(await parts()).to.not.include('idempotency_keys_1');
  });

  it('are all dropped when they are many', async () => {
    await postgres.database.query(
      'insert into idempotency_keys (user_id, key, role, fingerprint, created_at, answer) ' +
        `select gen_random_uuid(), n::text, 'customer', '', '${noon}', '' from generate_series(1, 2000) n`,
    );
    await forget(noon);
    expect(await count()).to.equal(0);
  });

  it('that are unsettled stay, in the newest partition, however old they are', async () => {
    const lease = { process: 'payment', subject: newId(), leaseUntil: noon, fencingToken: 1 };
    const atWork = await add(noon, { response: null, lease });
    await add(noon);
    for (let days = 1; days < 4; days += 1) {
      await forget(at(days));
      expect(await parts()).to.have.lengthOf(1);
    }
    const found = await postgres.store.unitOfWork.run(({ idempotencyKeys }) =>
      idempotencyKeys.lock(atWork.userId, atWork.key),
    );
    expect(found).to.deep.equal(atWork);
  });

  it('are not purged while a transaction uses them, and other transactions wait only briefly and rarely', async () => {
    await add(noon);
    const user = await postgres.holding('select from idempotency_keys limit 1');
    for (let process = 0; process < 3; process += 1) {
      const { unitOfWork, close } = await openPostgres({ url: postgres.database.url });
      const sweep = () => unitOfWork.run(({ idempotencyKeys }) => idempotencyKeys.deleteExpired(noon));
      // It ends before the other transaction does.
      await sweep();
      await user.query('rollback');
      // The table is free now, but the next attempt comes later.
      await sweep();
      expect(await parts()).to.deep.equal(['idempotency_keys_1']);
      await user.query('begin');
      await user.query('select from idempotency_keys limit 1');
      await close();
    }
    await user.query('rollback');
    await forget(noon);
    expect(await parts()).to.deep.equal(['idempotency_keys_2']);
  });

  it('are carried out once though a new partition opens between the look-up and the commit', async () => {
    const another = await openPostgres({ url: postgres.database.url });
    const attempt = { userId: newId<UserId>(), key: 'k', role: 'customer', fingerprint: 'f' } as const;
    const make = async ({ products }: Repositories) => products.add(aProduct());
    const request = ({ unitOfWork }: Store, work: Work<void>) =>
      idempotency({ unitOfWork, clock: { now: () => noon }, newId, leaseMs: 1_000 }).command(
        attempt,
        work,
        () => 'done',
      );
    const [isUnderWay, hasRotated] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = request(postgres.store, async (repositories) => {
      await make(repositories);
      isUnderWay.resolve();
      await hasRotated.promise;
    });
    await isUnderWay.promise;
    expect(await request(another, make)).to.have.property('outcome');
    await add(at(-2));
    await another.unitOfWork.run(({ idempotencyKeys }) => idempotencyKeys.deleteExpired(at(-1)));
    expect(await parts()).to.deep.equal(['idempotency_keys_1', 'idempotency_keys_2']);
    hasRotated.resolve();
    expect(await slow).to.deep.equal({ replayed: 'done' });
    expect(await postgres.database.query('select from products')).to.have.lengthOf(1);
    await another.close();
  });
});
