import { retryUntilReady } from '../../composition/listeners/retry-until-ready.ts';
import { longestTimeoutMs } from '../../composition/modules/load-adapter.ts';
import { inspectStore, openStore } from '../../composition/ports/open-store.ts';
import { storeKindOf } from '../../composition/ports/store-kind.ts';
import { command, flag } from '../framework/command.ts';
import { escapeControl } from '../framework/terminal.ts';
import { loadSettings } from '../load-settings.ts';
import { requirePersistent } from '../open-application.ts';

/** Of a store from outside that does not report its own. */
const noMigrations = { applied: [], pending: [], unknown: [] };

export const migrateStatus = command({
  name: 'migrate status',
  description: 'List applied and pending migrations. Changes nothing.',
  isReadOnly: true,
  options: { json: flag('Print the lists as JSON.') },
  run: async ({ json }, terminal) => {
    const inspection = await inspectStore(loadSettings().database);
    const { applied, pending, unknown } = inspection ?? noMigrations;
    if (json) return terminal.print(`${JSON.stringify({ applied, pending, unknown })}\n`);
    const { success, warning } = terminal.colours;
    const lines = [
      ...applied.map((name) => `${success('applied')}  ${escapeControl(name)}`),
      ...pending.map((name) => `${warning('pending')}  ${name}`),
      ...unknown.map(
        (name) => `${warning('unknown')}  ${escapeControl(name)}, applied by a later version of Portico`,
      ),
    ];
    await terminal.print(lines.map((line) => `${line}\n`).join(''));
    if (inspection === undefined) {
      await terminal.notify(
        'The module in PERSISTENCE_ADAPTER exports no inspectStore that lists migrations.',
      );
    }
    if (pending.length > 0) {
      await terminal.notify('Run portico migrate up to apply pending migrations, or start Portico.');
    }
  },
});

export const migrateUp = command({
  name: 'migrate up',
  description: 'Apply pending migrations, as every start does.',
  run: async (_, terminal) => {
    const { database } = loadSettings();
    requirePersistent(database);
    const untilReady = retryUntilReady(storeKindOf(database), (reason) => {
      void terminal.notify(`Waiting for the database. ${reason}`);
    });
    const { pending } = (await untilReady(() => inspectStore(database))) ?? noMigrations;
    const store = await untilReady(() => openStore(database, { timeoutMs: longestTimeoutMs }));
    await store.close();
    const lines = pending.map((name) => `${terminal.colours.success('applied')}  ${name}\n`);
    await terminal.print(lines.join(''));
    await terminal.notify('The tables are up to date.');
  },
});
