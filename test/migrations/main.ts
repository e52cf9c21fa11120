// `npm run migration -- NAME` writes one file with the statements that lead each database from the recorded schema to the entities,
// adds it to the list, and records the schema. It needs no database.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileOf, withMigration } from './file.ts';
import { databases, generate, noStatements, StoppedError } from './generate.ts';
import { recordOf, recordPath } from './recorded-schema.ts';
import { ormOf } from './schemas.ts';

const folder = new URL('../../adapters/persistence/schema/migrations/', import.meta.url);
const list = new URL('all.ts', folder);
const usage =
  'Usage: npm run migration -- NAME [--by-hand]\n' +
  'NAME says what it adds, in lower-case letters, digits and hyphens: gift-cards. With --by-hand the file has no statements.\n';

const fail = (message: string): never => {
  process.stderr.write(message);
  process.exit(1);
};

const [name = '', flag, ...others] = process.argv.slice(2);
if (!/^[a-z\d]+(-[a-z\d]+)*$/.test(name) || ![undefined, '--by-hand'].includes(flag) || others.length > 0)
  fail(usage);
const dated = `${new Date().toISOString().slice(0, 10)}-${name}`;

const statements =
  flag === undefined
    ? await generate().catch((error: unknown) =>
        error instanceof StoppedError ? fail(`${error.message}\n`) : Promise.reject(error),
      )
    : noStatements;
if (flag === undefined && databases.every((database) => statements[database].length === 0))
  fail('The entities have not changed since the last migration.\n');

const file = new URL(`${dated}.ts`, folder);
writeFileSync(file, fileOf(statements), { flag: 'wx' });
writeFileSync(list, withMigration(readFileSync(list, 'utf8'), dated));
for (const database of databases)
  writeFileSync(recordPath(database), `${JSON.stringify(recordOf(ormOf(database)))}\n`);
const written = [file, list, ...databases.map(recordPath)].map((url) => relative('', fileURLToPath(url)));
execFileSync('node_modules/.bin/biome', ['format', '--write', ...written], { stdio: 'ignore' });
process.stdout.write(
  `${written[0]}\nSay in its comment what it adds and what for, and read its statements. Then: npx mocha 'test/migrations/*.test.ts'\n`,
);
process.exit(0);
