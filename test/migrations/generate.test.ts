import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { p } from '@mikro-orm/core';
import { expect } from 'chai';
import type { Statements } from '#adapters/persistence/schema/migrate.ts';
import { rejectionOf } from '../contracts/harness.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { entitiesWith, giftCards, ofStockChanges, stockChangesWith } from './changed-entities.ts';
import { fileOf, withMigration } from './file.ts';
import { databases, generate, noStatements } from './generate.ts';
import { recordedSchema, recordOf } from './recorded-schema.ts';
import { ormOf } from './schemas.ts';

describe('The recorded schema', () => {
  for (const database of databases)
    it(`of ${database} is that of the entities: npm run migration -- NAME has been run after their last change`, () => {
      expect(recordOf(ormOf(database))).to.deep.equal(recordedSchema(database));
    });
});

describe('A migration', () => {
  it('has no statements while the entities stay as they were', async () => {
    expect(await generate()).to.deep.equal(noStatements);
    expect(await generate(entitiesWith(stockChangesWith(ofStockChanges())))).to.deep.equal(noStatements);
  });

  it('adds a column that may be null with one statement for each database', async () => {
    const changed = stockChangesWith({ ...ofStockChanges(), counted_by: p.uuid().strictNullable() });
    expect(await generate(entitiesWith(changed))).to.deep.equal({
      sqlite: ['alter table stock_changes add column counted_by text null'],
      postgres: ['alter table stock_changes add counted_by uuid null'],
      mariadb: ['alter table stock_changes add column if not exists counted_by varchar(36) null'],
    });
  });

  it('adds a table with all that it has, in the form that each database needs', async () => {
    const added = entitiesWith(stockChangesWith(ofStockChanges()), giftCards);
    const { sqlite, postgres, mariadb } = await generate(added);
    expect(sqlite.join('\n')).to.match(
      /^create table gift_cards \(.*\bconstraint gift_cards_user_id_foreign /,
    );
    expect(sqlite.join('\n')).to.include(
      'create index gift_cards_used_at_id_index on gift_cards (used_at, id) where used_at is not null',
    );
    expect(postgres.join('\n')).to.include('used boolean not null default false');
    expect(postgres.join('\n')).to.include(
      // An operator of a large table creates its index beforehand.
      'create index if not exists gift_cards_user_id_id_index on gift_cards (user_id, id)',
    );
    expect(postgres.join('\n')).to.include('"order" text null');
    // MariaDB commits each statement at once, so that one is all there is, and it can run again.
    expect(mariadb).to.have.length(1);
    expect(mariadb.join()).to.match(/^create table if not exists gift_cards \(/);
    for (const part of [
      'code varchar(320) not null',
      '`order` text null',
      'used_at datetime(3) null',
      'unique index gift_cards_code_unique (code)',
      'index gift_cards_used_at_id_index (used_at, id)',
      'foreign key (user_id) references users (id)',
      'engine = InnoDB row_format = dynamic character set utf8mb4 collate utf8mb4_nopad_bin',
    ])
      expect(mariadb.join()).to.include(part);
  });

  const { reason: _, ...withoutReason } = ofStockChanges();
  for (const [what, changed, statement] of [
    ['drops a column', stockChangesWith(withoutReason), /postgres: alter table .* drop column "reason"/],
    [
      'renames a column',
      stockChangesWith({ ...withoutReason, cause: p.text().strictNullable() }),
      /mariadb: alter table .* (drop|rename|change) .*reason/,
    ],
    [
      'renames a table',
      stockChangesWith(ofStockChanges(), 'stock_movements'),
      /sqlite: drop table .*stock_changes/,
    ],
    [
      'gives a column another type',
      stockChangesWith({ ...ofStockChanges(), reason: p.integer().strictNullable() }),
      /postgres: alter table .* alter column "reason" type int/,
    ],
    [
      'requires a value of a column',
      stockChangesWith({ ...ofStockChanges(), reason: p.text() }),
      /postgres: alter table .* alter column "reason" set not null/,
    ],
    [
      'adds a column that requires a value',
      stockChangesWith({ ...ofStockChanges(), counted_by: p.uuid() }),
      /postgres: alter table "stock_changes" add .*"counted_by" uuid not null/,
    ],
  ] as const)
    it(`stops where it ${what}, and says what a person does`, async () => {
      const error = await rejectionOf(generate(entitiesWith(changed)));
      expect(error).to.have.property('name', 'StoppedError');
      expect(error).to.have.property('message').that.matches(statement);
      expect(error).to.have.property('message').that.includes('npm run migration -- NAME --by-hand');
    });
});

describe('The file of a migration', () => {
  const inFolder = temporaryFolder();

  it('is a module that holds the statements as they were generated', async () => {
    const statements = await generate(entitiesWith(stockChangesWith(ofStockChanges()), giftCards));
    mkdirSync(inFolder('migrations'));
    writeFileSync(inFolder('migrations', 'one.ts'), fileOf(statements));
    const { statements: read }: { statements: Statements } = await import(inFolder('migrations', 'one.ts'));
    for (const database of databases)
      expect(
        read[database].map((text) =>
          text.trim().replaceAll(/\s+/g, ' ').replaceAll('( ', '(').replaceAll(' )', ')'),
        ),
      ).to.deep.equal(statements[database]);
  });

  it('says what it adds, and is in the list', () => {
    const list = readFileSync('adapters/persistence/schema/migrations/all.ts', 'utf8');
    const files = globSync('adapters/persistence/schema/migrations/*.ts').filter(
      (file) => !file.endsWith('/all.ts'),
    );
    for (const file of files) {
      expect(readFileSync(file, 'utf8'), file).to.not.include('TODO');
      expect(list).to.include(`'./${basename(file)}'`);
    }
  });

  it('is the last one of the list', () => {
    const list = "const migrations = [\n  { name: '0001-baseline' },\n];\n\nexport const others = [\n];\n";
    expect(withMigration(list, '2027-01-02-gift-cards')).to.equal(
      "const migrations = [\n  { name: '0001-baseline' },\n" +
        "  { name: '2027-01-02-gift-cards', load: async () => (await import('./2027-01-02-gift-cards.ts')).statements },\n" +
        '];\n\nexport const others = [\n];\n',
    );
  });
});
