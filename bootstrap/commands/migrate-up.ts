import { command } from '../command-line/command.ts';
import { configured } from '../environment.ts';
import { inspectStore } from '../inspect-store.ts';
import { openStore } from '../open-store.ts';
import { requireKept } from '../with-portico.ts';

export const migrateUp = command({
  name: 'migrate up',
  says: 'Brings the tables up to date, as every start does.',
  run: async (_, terminal) => {
    const { database } = configured();
    requireKept(database);
    const { pending } = await inspectStore(database);
    await (await openStore(database)).close();
    const lines = pending.map((name) => `${terminal.colours.good('applied')}  ${name}\n`);
    await terminal.print(lines.join(''));
    await terminal.note('The tables are up to date.');
  },
});
