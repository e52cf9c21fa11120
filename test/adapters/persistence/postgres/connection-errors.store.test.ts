import { expect } from 'chai';
import { isOutcomeKnown, translateError } from '#adapters/persistence/postgres/errors.ts';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import type { Store } from '#adapters/persistence/store.ts';
import { rejectionOf } from '#test/contracts/harness.ts';
import { aProduct } from '#test/contracts/samples.ts';
import { newId } from '#test/support/machine.ts';
import { unavailable } from '../transactions.ts';
import { postgresOfEachTest } from './opened.ts';

/** @param code the SQLSTATE among the causes */
const unavailableFor = (rejection: unknown, code: string): void => {
  unavailable(rejection);
  const causes = [];
  for (let cause = rejection; cause instanceof Error; cause = cause.cause) causes.push(cause);
  expect(causes.flatMap((cause) => ('code' in cause ? [cause.code] : []))).to.include(code);
};

const add = (store: Store, product = aProduct()) =>
  store.unitOfWork.run(({ products }) => products.add(product));

describe('An error of PostgreSQL', () => {
  const postgres = postgresOfEachTest();

  /** From now on the database does this before each insert of a product. */
  const beforeEachProduct = async (act: string) => {
    await postgres.database.query(`
      create sequence tries;
      create function act() returns trigger language plpgsql as $$ begin ${act}; return new; end $$;
      create trigger act before insert on products for each row execute function act()`);
  };

  const fails = (code: string) => `raise exception 'no' using errcode = '${code}'`;

  for (const [what, code] of [
    ['failed to serialize (40001)', '40001'],
    ['were in a deadlock (40P01)', '40P01'],
  ] as const) {
    it(`lets units of work run again and succeed (${what})`, async () => {
      await beforeEachProduct(`if nextval('tries') < 4 then ${fails(code)}; end if`);
      const product = aProduct();
      let runs = 0;
      await postgres.store.unitOfWork.run(async ({ products }) => {
        runs += 1;
        await products.add(product);
      });
      expect(runs).to.equal(4);
      expect(await postgres.store.unitOfWork.read(({ products }) => products.find(product.id))).to.deep.equal(
        product,
      );
    });

    it(`that comes at each run makes units of work run three times more, and then unavailable (${what})`, async () => {
      await beforeEachProduct(`perform nextval('tries'); ${fails(code)}`);
      unavailableFor(await rejectionOf(add(postgres.store)), code);
      expect(await postgres.database.query('select last_value::int from tries')).to.deep.equal([
        { last_value: 4 },
      ]);
    });
  }

  it('for a statement timeout (57014) is unavailable, and the connection stays usable', async () => {
    await beforeEachProduct('perform pg_sleep(20)');
    const sole = await openPostgres({ url: postgres.database.url, timeout: 1_000, poolSize: 1 });
    unavailableFor(await rejectionOf(add(sole)), '57014');
    await postgres.database.query('drop trigger act on products');
    await add(sole);
    await sole.close();
  });

  it('for a lock timeout (55P03) is unavailable, and the connection stays usable', async () => {
    const sole = await openPostgres({ url: postgres.database.url, timeout: 1_000, poolSize: 1 });
    const product = aProduct();
    await add(postgres.store, product);
    const hold = (of: Store) => of.unitOfWork.run(({ products }) => products.lock(product.id));
    const patient = await openPostgres({ url: postgres.database.url });
    await patient.unitOfWork.run(async ({ products }) => {
      await products.lock(product.id);
      unavailableFor(await rejectionOf(hold(sole)), '55P03');
    });
    await patient.close();
    expect(await hold(sole)).to.deep.equal(product);
    await sole.close();
  });

  it('for a write to a demoted primary (25006) comes once, because then all connections are new', async () => {
    await postgres.database.set('default_transaction_read_only = on');
    const behind = await openPostgres({ url: postgres.database.url });
    const ping = () => behind.unitOfWork.read(({ products }) => products.page({}, { limit: 1 }));
    await Promise.all(Array.from({ length: 10 }, ping));
    await postgres.database.set('default_transaction_read_only = off');
    unavailableFor(await rejectionOf(add(behind)), '25006');
    await Promise.all(Array.from({ length: 10 }, () => add(behind)));
    await behind.close();
  });

  it('for too many connections (53300) is unavailable, until one is free', async () => {
    const user = `limited_${process.pid}`;
    const url = new URL(postgres.database.url);
    await postgres.database.query(`create role ${user} login superuser`);
    url.username = user;
    const limited = await openPostgres({ url: url.href });
    await postgres.database.query(`alter role ${user} nosuperuser connection limit 1`);
    await postgres.database.query(`grant select, insert, update on all tables in schema public to ${user}`);
    await limited.unitOfWork.run(async ({ products }) => {
      await products.add(aProduct());
      // The lock holds the one connection.
      await products.lock(newId());
      unavailableFor(await rejectionOf(add(limited)), '53300');
    });
    await add(limited);
    await limited.close();
    await postgres.database.query(`drop owned by ${user}; drop role ${user}`);
  });
});

describe('An error of the network to PostgreSQL', () => {
  it('is unavailable whatever its code is, and leaves the outcome of a commit unknown', () => {
    for (const [syscall, code] of Object.entries({ connect: 'EMFILE', read: 'ENETDOWN', write: 'ENOBUFS' })) {
      const error = translateError(Object.assign(new Error(`${syscall} ${code}`), { syscall, code }));
      unavailable(error);
      expect(isOutcomeKnown(error)).to.equal(false);
    }
  });
});
