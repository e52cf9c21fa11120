import { expect } from 'chai';
import type { Migrations } from '#adapters/persistence/schema/migrate.ts';
import { migrationsOf } from '#adapters/persistence/schema/migrations/all.ts';
import { aProduct } from '../contracts/samples.ts';
import { storeAt } from '../support/store-at.ts';
import { temporaryDatabases } from '../support/temporary.ts';
import { breaches } from './breaches.ts';
import { faultsOf, faultsOfStep } from './faults.ts';
import { noLongerUsed } from './no-longer-used.ts';
import { inDatabase, inFile, later, type Place, step } from './places.ts';
import { missingIn, statementTexts } from './record-statements.ts';
import { type DatabaseName, previousRelease } from './release.ts';
import { type Schema, schemaOf } from './schema.ts';

const describeUpgrades = (database: DatabaseName, steps: Migrations, newPlace: () => Promise<Place>) =>
  describe(`An upgrade on ${database}`, () => {
    const release = previousRelease(database);
    let migrated: Place;
    let schema: Schema;
    let faults: readonly string[];
    const copies: Place[] = [];
    // Most of the time is spent in migrations, so that each test gets a copy.
    before(async () => {
      migrated = await newPlace();
      faults = await faultsOf(migrated, steps, release);
      schema = await schemaOf(migrated.url);
    });
    after(async () => {
      for (const place of [...copies, migrated]) await place.remove();
    });

    /** The schema behind one more migration. */
    const schemaAfter = async (last: Migrations[number]): Promise<Schema> => {
      const copy = await migrated.copy();
      copies.push(copy);
      await copy.apply([...steps, last]);
      return schemaOf(copy.url);
    };
    const faultsOfLast = async (last: Migrations[number]): Promise<readonly string[]> =>
      faultsOfStep(last.name, { before: schema, after: await schemaAfter(last) }, release);

    it('breaks nothing for the release before it, which runs beside it during a deploy', () => {
      const names = steps.map(({ name }) => name);
      expect(names, 'a migration that has been released is gone').to.include.members([...release.migrations]);
      expect(faults).to.deep.equal([]);
    });

    it('leaves every statement of the release before it valid', async () => {
      expect(release.statements.length).to.be.greaterThan(50);
      for (const statement of release.statements) await migrated.prepare(statement);
      expect(breaches(release.schema, schema).map(({ of }) => of)).to.deep.equal(
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
    it('is rejected where it drops, renames, retypes or requires something, or forbids more than before', async () => {
      for (const [what, [statement, fault]] of Object.entries(bad)) {
        const found = await faultsOfLast(step('9999-worse', ...statement.split('; ')));
        expect(found.join('\n'), what).to.match(fault);
      }
    });

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
      expect(await faultsOfLast(better)).to.deep.equal([]);
    });

    it('may drop what the release before it no longer used, and names that release', async () => {
      const drop = step('9999-drop', 'alter table products drop column description');
      const change = { before: schema, after: await schemaAfter(drop) };
      const without = { ...release, noLongerUsed: ['products.description'] };
      const right = `2099-12-31-contract-since-${release.version}-description`;
      expect(faultsOfStep(right, change, without)).to.deep.equal([]);
      expect(faultsOfStep(right, change, release)).to.have.lengthOf(1);
      expect(faultsOfStep('9999-description', change, without)).to.have.lengthOf(1);
      const early = '9999-contract-since-99.0.0-description';
      expect(faultsOfStep(early, change, without)).to.have.lengthOf(1);
    });

    it('leaves the tables of a later version usable for this one, which reports them as later', async () => {
      const copy = await migrated.copy();
      copies.push(copy);
      await copy.apply([...steps, later]);
      const store = await storeAt(copy.url);
      const product = aProduct();
      await store.unitOfWork.run(({ products }) => products.add(product));
      expect(await store.unitOfWork.read(({ products }) => products.find(product.id))).to.deep.equal(product);
      expect(await store.schema?.()).to.deep.include({ pending: [], unknown: [later.name] });
      await store.close();
    });
  });

const folder = temporaryDatabases();
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

  const nextFile = (): string => {
    files += 1;
    return folder(`${files}.db`);
  };
  describeUpgrades('sqlite', migrationsOf('sqlite'), async () => inFile(nextFile));
});
describe('PostgreSQL', () => describeUpgrades('postgres', migrationsOf('postgres'), () => inDatabase()));
