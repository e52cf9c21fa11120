import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { expect } from 'chai';
import { storeKinds } from '#bootstrap/config/store-kinds.ts';
import { breaches, cyclesIn, entangledFolders, importsIn, sources } from './imports.ts';

describe('The structure', () => {
  const imports = sources().flatMap(({ file, source }) => importsIn(file, source));

  it('lets imports point inwards only, and keeps adapters apart', () => {
    expect(imports.length).to.be.greaterThan(200);
    expect(breaches(imports)).to.deep.equal([]);
  });

  for (const [file, source] of [
    ['domain/order.ts', "import { v7 } from 'uuidv7';"],
    ['domain/order.ts', "import type { Clock } from '#application/ports/system.ts';"],
    ['application/use-cases/orders.ts', "import { readFile } from 'node:fs/promises';"],
    ['domain/order.ts', 'import { Pool } from "pg";'],
    ['domain/order.ts', "const { readFileSync } = process.getBuiltinModule('node:fs');"],
    ['application/use-cases/orders.ts', "const { Router } = createRequire(import.meta.url)('@koa/router');"],
    ['application/use-cases/orders.ts', "const { Pool } = require('pg');"],
    ['application/use-cases/orders.ts', "import { newId } from '#adapters/system/ids.ts';"],
    ['adapters/http/api.ts', "import { sandboxProvider } from '../payment/sandbox/provider.ts';"],
    ['adapters/http/api.ts', "import type { Config } from '#bootstrap/config/config.ts';"],
    ['adapters/http/api.ts', "import { Container } from 'inversify';"],
    ['adapters/persistence/memory/open.ts', "import { turns } from '../postgres/turns.ts';"],
    ['adapters/persistence/postgres/open.ts', "import { sqliteOrm } from '../sqlite/connect.ts';"],
    ['adapters/persistence/sqlite/open.ts', "import { turns } from '../postgres/turns.ts';"],
    ['adapters/persistence/schema/migrate.ts', "import { sqliteOrm } from '../sqlite/connect.ts';"],
    ['adapters/persistence/sql/repositories.ts', "import { turns } from '../postgres/turns.ts';"],
    ['adapters/persistence/schema/migrate.ts', "import type { Session } from '../sql/session.ts';"],
    ['adapters/metrics/metrics.ts', "import { codec } from '../wire/codec.ts';"],
    ['adapters/support/timeout.ts', "import { codec } from '#adapters/wire/codec.ts';"],
    ['adapters/product-files/plan.ts', "import { parse } from 'csv-parse/sync';"],
    ['adapters/product-files/plan.ts', "import { Buffer } from 'node:buffer';"],
    ['adapters/product-files/plan.ts', "import type { Money } from '#domain/money.ts';"],
    ['adapters/product-files/plan.ts', "import { readCsv } from '../files/csv.ts';"],
    ['adapters/files/csv.ts', "import { delimiterOf } from '../product-files/delimiter.ts';"],
    ['adapters/timeout.ts', "export { withTimeout } from './support/timeout.ts';"],
    ['bootstrap/composition/app.ts', "await import('#test/support/postgres.ts');"],
  ] as const) {
    it(`would notice ${source} in ${file}`, () => {
      expect(breaches(importsIn(file, source))).to.have.length(1);
    });
  }

  for (const folder of ['domain', 'application']) {
    it(`gives all that is in ${folder} to other projects by ${folder}/index.ts`, () => {
      const entry = `${folder}/index.ts`;
      const given = imports.filter(({ from }) => from === entry).map(({ of }) => of);
      const files = sources().map(({ file }) => file);
      expect(given).to.have.members(files.filter((file) => file.startsWith(`${folder}/`) && file !== entry));
    });
  }

  for (const [pattern, tests, untested] of [
    ['domain/*.ts', 'test/domain', ['index', 'brand', 'errors']],
    ['application/use-cases/*.ts', 'test/application', []],
    ['adapters/http/v1/*.ts', 'test/http/resources', ['routes', 'shown-fields']],
  ] as const) {
    it(`has a test in ${tests} for each of ${pattern}`, () => {
      const names = globSync(pattern).map((file) => basename(file, '.ts'));
      const tested = globSync(`${tests}/*.test.ts`).map((file) => basename(file, '.test.ts'));
      expect(names.filter((name) => !tested.includes(name))).to.have.members(untested);
    });
  }

  it('asks no store in bootstrap for its name: what differs is said by its kind', () => {
    const names = storeKinds.map(({ name }) => name).join('|');
    const asks = new RegExp(`[!=]== '(${names})'|case '(${names})'`);
    const asking = sources().filter(({ file, source }) => file.startsWith('bootstrap/') && asks.test(source));
    expect(asking.map(({ file }) => file)).to.deep.equal([]);
    expect(asks.test("kind === 'mariadb' ? 'ssl=true' : ''")).to.equal(true);
  });

  it('has no import cycle, not even among types', () => {
    expect(cyclesIn(imports)).to.deep.equal([]);
  });

  it('would notice an import cycle, of two files, of three, or of one with itself', () => {
    const [a, b, c, d] = ['domain/a.ts', 'domain/b.ts', 'domain/c.ts', 'domain/d.ts'] as const;
    const graph = [
      ...importsIn(a, "import { b } from './b.ts';"),
      ...importsIn(b, "import type { C } from './c.ts';"),
      ...importsIn(c, "import './d.ts';"),
    ];
    expect(cyclesIn(graph)).to.deep.equal([]);
    expect(cyclesIn([...graph, ...importsIn(c, "import type { B } from '#domain/b.ts';")])).to.deep.equal([
      [b, c],
    ]);
    expect(cyclesIn([...graph, ...importsIn(c, "await import('./a.ts');")])).to.deep.equal([[a, b, c]]);
    expect(cyclesIn([...graph, ...importsIn(d, "export { d } from './d.ts';")])).to.deep.equal([[d]]);
  });

  it('has no two folders that import each other', () => {
    expect(entangledFolders(imports)).to.deep.equal([]);
  });

  it('would notice two folders that import each other, but not a folder and its own subfolder', () => {
    const inwards = importsIn('adapters/a/one.ts', "import { two } from '../b/two.ts';");
    const back = importsIn('adapters/b/three.ts', "import type { Four } from '#adapters/a/four.ts';");
    const below = importsIn('adapters/a/one.ts', "import { five } from './inner/five.ts';");
    const above = importsIn('adapters/a/inner/six.ts', "import { one } from '../one.ts';");
    expect(entangledFolders([...inwards, ...below, ...above])).to.deep.equal([]);
    expect(entangledFolders([...inwards, ...back])).to.deep.equal(['adapters/a <-> adapters/b']);
  });

  it('keeps HTTP in its adapter: no status and no snake-case name further in', () => {
    const status = /\bstatus(?:Code)?:\s*[1-5]\d\d\b/;
    const snakeCase = /\b(?:readonly )?[a-z]+_[a-z_]+\??:/;
    for (const { file, source } of sources()) {
      if (!/^(domain|application)\//.test(file)) continue;
      expect(status.test(source), `${file} knows a status`).to.equal(false);
      expect(snakeCase.test(source), `${file} knows a name of the wire`).to.equal(false);
    }
  });

  it('lets nothing further in know which store it runs on', () => {
    const stores = /sqlite|postgres|maria|mysql|kysely|mikro|replica|pragma|\bsql\b/i;
    for (const { file, source } of sources()) {
      if (/^(domain|application)\//.test(file)) expect(stores.exec(source)?.[0], file).to.equal(undefined);
    }
  });

  it('has ports that return promises only, and hand over plain data', () => {
    const maybePromise = /\| Promise<|Promise<[^;\n]*> \|/;
    const instance = /\bclass\b|\bnew [A-Z]\w*[(<]|(?:Map|Set)</;
    for (const { file, source } of sources()) {
      if (!file.startsWith('application/ports/')) continue;
      for (const pattern of [maybePromise, instance]) {
        expect(pattern.exec(source)?.[0], file).to.equal(undefined);
      }
    }
  });

  it('says little of deadlines further in: they are passed on in the request context', () => {
    const lines = sources()
      .filter(({ file }) => /^(domain|application)\//.test(file))
      .flatMap(({ source }) => source.split('\n').filter((line) => /deadline|performance\.now/i.test(line)));
    expect(lines).to.have.length.within(1, 5);
  });

  it('waits by the timers that are read when it waits, so that simulated time reaches every wait', () => {
    const waiting = sources().filter(({ source }) => /['"](?:node:)?timers(?:\/promises)?['"]/.test(source));
    expect(waiting.map(({ file }) => file)).to.deep.equal([]);
  });

  it('uses no decorator and no service locator', () => {
    for (const { file, source } of sources()) {
      expect(/@(injectable|inject)\b/.test(source), file).to.equal(false);
      if (file.startsWith('bootstrap/')) continue;
      expect(/\bcontainer\.get/.test(source), file).to.equal(false);
    }
  });
});
