import { inspectStore, openStore } from '../../composition/open-store.ts';
import { loadConfig } from '../../config/config.ts';
import { command } from '../framework/command.ts';
import { requirePersistent } from '../open-application.ts';

export const migrateUp = command({
  name: 'migrate up',
  description: 'Apply pending migrations, as every start does.',
  run: async (_, terminal) => {
    const { database } = loadConfig();
    requirePersistent(database);
    const { pending } = await inspectStore(database);
    await (await openStore(database)).close();
    const lines = pending.map((name) => `${terminal.colours.success('applied')}  ${name}\n`);
    await terminal.print(lines.join(''));
    await terminal.notify('The tables are up to date.');
  },
});
