// Run it once a version has been released, before any change for the next one: `node test/upgrades/record-release.ts`, and
// then `npm run format`. It records the schema, the statements and what the events of the release hold, and the tests hold later
// changes to them.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrationsOf } from '#adapters/persistence/schema/migrations/all.ts';
import { version } from '#bootstrap/process/version.ts';
import { freshDatabase } from '../support/postgres.ts';
import { endRun } from '../support/test-run.ts';
import { noLongerUsed } from './no-longer-used.ts';
import { statementTexts } from './record-statements.ts';
import { recordEvents } from './recorded-events.ts';
import { type DatabaseName, placeOf, type Release } from './release.ts';
import { schemaOf } from './schema.ts';

const record = async (database: DatabaseName, url: string, names: readonly string[]): Promise<void> => {
  const statements = await statementTexts(url);
  const release: Release = {
    version,
    migrations: names,
    schema: await schemaOf(url),
    statements,
    noLongerUsed,
  };
  mkdirSync(fileURLToPath(new URL('.', placeOf(database))), { recursive: true });
  writeFileSync(placeOf(database), `${JSON.stringify(release, null, 2)}\n`);
  process.stdout.write(`${database}: ${statements.length} statements of ${version}\n`);
};

const folder = mkdtempSync(join(tmpdir(), 'portico-release-'));
await record(
  'sqlite',
  `sqlite:${join(folder, 'portico.db')}`,
  migrationsOf('sqlite').map(({ name }) => name),
);
rmSync(folder, { recursive: true });
const { url, drop } = await freshDatabase();
await record(
  'postgres',
  url,
  migrationsOf('postgres').map(({ name }) => name),
);
await drop();
recordEvents();
await endRun();
