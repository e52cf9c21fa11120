import { inspectStore } from '../../composition/open-store.ts';
import { loadConfig } from '../../config/config.ts';
import { command, flag } from '../framework/command.ts';
import { escapeControl } from '../framework/terminal-text.ts';

export const migrateStatus = command({
  name: 'migrate status',
  description: 'List applied and pending migrations. Changes nothing.',
  options: { json: flag('Print the lists as JSON.') },
  run: async ({ json }, terminal) => {
    const { applied, pending, unknown } = await inspectStore(loadConfig().database);
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
    if (pending.length > 0) {
      await terminal.notify('Run portico migrate up to apply pending migrations, or start Portico.');
    }
  },
});
