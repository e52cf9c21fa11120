import { Migration } from '@mikro-orm/migrations';
import BetterSqlite3 from 'better-sqlite3';
import { expect } from 'chai';
import { Client } from 'pg';
import { postgresOrm } from '#adapters/persistence/postgres/orm.ts';
import { type Migrations, migrate } from '#adapters/persistence/schema/migrate.ts';
import { postgresMigrations as postgresSteps } from '#adapters/persistence/schema/migrations/postgres/all.ts';
import { sqliteMigrations as sqliteSteps } from '#adapters/persistence/schema/migrations/sqlite/all.ts';
import { sqliteOrm } from '#adapters/persistence/sqlite/connect.ts';
import { ending, portico } from '../bootstrap/support/portico.ts';
import { startServer } from '../bootstrap/support/server.ts';
import { expectCreated } from '../http/support/expectations.ts';
import { euros } from '../http/support/shop.ts';
import { freshDatabase } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { breaches } from './breaches.ts';
import { noLongerUsed } from './no-longer-used.ts';
import { missingIn, statementTexts } from './record-statements.ts';
import { type DatabaseName, previousRelease } from './release.ts';
import { schemaOf } from './schema.ts';

interface Place {
  readonly url: string;
  apply(steps: Migrations): Promise<void>;
  /** @throws when the database cannot prepare the statement */
  prepare(statement: string): Promise<void>;
  remove(): Promise<void>;
}

const inFile = (file: string): Place => ({
  url: `sqlite:${file}`,
  apply: async (steps) => {
    const orm = sqliteOrm(file, 1000);
    await migrate(orm, steps).finally(() => orm.close());
  },
  prepare: async (statement) => {
    const database = new BetterSqlite3(file);
    try {
      database.prepare(statement);
    } finally {
      database.close();
    }
  },
  remove: async () => undefined,
});

const inDatabase = async (): Promise<Place> => {
  const { url, drop } = await freshDatabase();
  return {
    url,
    apply: async (steps) => {
      const orm = postgresOrm(url, 1);
      await migrate(orm, steps).finally(() => orm.close());
    },
    prepare: async (statement) => {
      const client = new Client({ connectionString: url });
      await client.connect();
      await client.query(`prepare it as ${statement}`).finally(() => client.end());
    },
    remove: drop,
  };
};

const contract = /^\d+-contract-since-(\d+\.\d+\.\d+)-/;

/** Lists what the migrations behind the release break. */
const faultsOf = async (
  { url, apply }: Place,
  steps: Migrations,
  release: ReturnType<typeof previousRelease>,
): Promise<readonly string[]> => {
  const faults: string[] = [];
  const known = steps.filter(({ name }) => release.migrations.includes(name));
  await apply(known);
  let before = await schemaOf(url);
  const done = [...known];
  for (const step of steps.filter((step) => !known.includes(step))) {
    done.push(step);
    await apply(done);
    const after = await schemaOf(url);
    const since = contract.exec(step.name)?.[1];
    if (since !== undefined && since !== release.version) {
      faults.push(`${step.name}: only what ${release.version} does without already may go`);
    }
    for (const { of, says } of breaches(before, after)) {
      if (since === undefined) faults.push(`${step.name}: ${of} ${says}`);
      else if (!release.noLongerUsed.includes(of)) faults.push(`${step.name}: ${of} ${says}, and is in use`);
    }
    before = after;
  }
  return faults;
};

const step = (name: string, ...statements: readonly string[]): Migrations[number] => ({
  name,
  load: async () =>
    class extends Migration {
      override up(): void {
        for (const statement of statements) this.addSql(statement);
      }
    },
});

const describeUpgrades = (database: DatabaseName, steps: Migrations, newPlace: () => Promise<Place>) =>
  describe(`An upgrade on ${database}`, function () {
    this.timeout(60_000);
    const release = previousRelease(database);
    const places: Place[] = [];
    const aPlace = async (): Promise<Place> => {
      const place = await newPlace();
      places.push(place);
      return place;
    };
    after(async () => {
      for (const place of places) await place.remove();
    });

    it('breaks nothing for the release before it, which runs beside it during a deploy', async () => {
      const names = steps.map(({ name }) => name);
      expect(names, 'a migration that has been released is gone').to.include.members([...release.migrations]);
      expect(await faultsOf(await aPlace(), steps, release)).to.deep.equal([]);
    });

    it('leaves every statement of the release before it valid', async () => {
      const place = await aPlace();
      await place.apply(steps);
      expect(release.statements.length).to.be.greaterThan(50);
      for (const statement of release.statements) await place.prepare(statement);
      expect(breaches(release.schema, await schemaOf(place.url)).map(({ of }) => of)).to.deep.equal(
        [...release.noLongerUsed].filter((of) => !noLongerUsed.includes(of)).sort(),
      );
    });

    const bad: Record<string, readonly [string, RegExp]> = {
      'a column that is dropped': [
        'alter table products drop column description',
        /products\.description is gone/,
      ],
      'a column that is renamed': [
        'alter table products rename column description to details',
        /products\.description is gone/,
      ],
      'a table that is renamed': ['alter table reviews rename to opinions', /reviews is gone/],
      'a new column that old processes leave out': [
        database === 'sqlite'
          ? 'create table duties_2 (name text not null primary key, holder text not null, until text not null, term int not null); drop table duties; alter table duties_2 rename to duties'
          : 'alter table duties add column term int not null',
        /duties\.term is new and cannot be left out/,
      ],
      'a new unique index': ['create unique index users_name on users (name)', /users has a new rule: /],
      'a unique index that covers other rows': [
        "drop index payments_order_id_unique; create unique index payments_order_id_unique on payments (order_id) where status <> 'canceled'",
        /payments (has a new|lacks the) rule: /,
      ],
      'a unique index of a new column and an old one': [
        'alter table users add column shop int null; create unique index users_shop on users (shop, name)',
        /users has a new rule: /,
      ],
    };
    if (database === 'postgres') {
      bad['a column of another type'] = [
        'alter table users alter column name type varchar(200)',
        /users\.name is character varying\(200\) in place of text/,
      ];
      bad['a column that becomes not null'] = [
        "alter table products alter column description set default '', alter column description set not null",
        /products\.description takes no null any more/,
      ];
      bad['a new check'] = ['alter table users add check (length(name) > 2)', /users has a new rule: CHECK/];
    }
    for (const [what, [statement, fault]] of Object.entries(bad)) {
      it(`rejects ${what}`, async () => {
        const worse = [...steps, step('9999-worse', ...statement.split('; '))];
        const faults = await faultsOf(await aPlace(), worse, release);
        expect(faults.join('\n')).to.match(fault);
      });
    }

    it('may add tables, indexes and optional columns', async () => {
      const better = step(
        '9999-better',
        'alter table products add column weight int null',
        'alter table products add column shelf int not null default 0',
        'create table gift_cards (id text not null primary key)',
        'create index products_weight on products (weight)',
        'create unique index products_weight_unique on products (weight)',
        'drop index payments_order_id_unique',
        `create unique index payments_order_id_unique on payments (order_id)
          where status <> 'failed' and status <> 'canceled' and status <> 'lost'`,
      );
      expect(await faultsOf(await aPlace(), [...steps, better], release)).to.deep.equal([]);
    });

    it('may drop what the release before it no longer used, and names that release', async () => {
      const drop = 'alter table products drop column description';
      const without = { ...release, noLongerUsed: ['products.description'] };
      const named = (name: string) => [...steps, step(name, drop)];
      const right = `9999-contract-since-${release.version}-description`;
      expect(await faultsOf(await aPlace(), named(right), without)).to.deep.equal([]);
      expect(await faultsOf(await aPlace(), named(right), release)).to.have.lengthOf(1);
      expect(await faultsOf(await aPlace(), named('9999-description'), without)).to.have.lengthOf(1);
      const early = '9999-contract-since-99.0.0-description';
      expect(await faultsOf(await aPlace(), named(early), without)).to.have.lengthOf(1);
    });

    it('can be rolled back: this version serves on the tables of a later one, and reports them as later', async () => {
      const place = await aPlace();
      const later = step(
        '9998-later',
        'alter table products add column weight int null',
        'create table gift_cards (id text not null primary key)',
      );
      await place.apply([...steps, later]);
      const { program, client } = await startServer({ DATABASE_URL: place.url });
      const product = { name: 'Tea', price: euros(350), stock: 3 };
      const { id } = expectCreated(await client.post('/v1/products', product), '/v1/products');
      const order = { product_id: id, quantity: 1 };
      const { id: orderId } = expectCreated(await client.post('/v1/orders', order), '/v1/orders');
      const payment = { order_id: orderId, payment_method: 'tok_ok' };
      expectCreated(
        await client.post('/v1/payments', payment, { 'Idempotency-Key': 'once' }),
        '/v1/payments',
      );
      await program.kill();
      const settings = { DATABASE_URL: place.url };
      const status = await ending(portico(['migrate', 'status'], { settings }));
      expect(status.output).to.include('unknown  9998-later, applied by a later version of Portico');
      const { output } = await ending(portico(['doctor'], { settings }));
      expect(output).to.include('applied by a later version of Portico: 9998-later');
    });
  });

const folder = temporaryFolder();
let files = 0;
describe('SQLite', () => {
  describe('The record of a release', () => {
    it('has statements for every table, and for each of its filters', async () => {
      const statements = await statementTexts(`sqlite:${folder('record.db')}`);
      expect(missingIn(statements), 'extend doEverything in record-statements.ts').to.deep.equal([]);
      const others = statements.filter((text) => !/into "reviews"|where "sku" =/.test(text));
      expect(missingIn(others)).to.deep.equal(['products by sku', 'reviews']);
    });
  });

  describeUpgrades('sqlite', sqliteSteps, async () => {
    files += 1;
    return inFile(folder(`${files}.db`));
  });
});
describe('PostgreSQL', () => describeUpgrades('postgres', postgresSteps, inDatabase));
