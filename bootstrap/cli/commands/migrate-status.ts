import { inspectStore } from '../../composition/open-store.ts';
import { loadConfig } from '../../config/config.ts';
import { command, flag } from '../framework/command.ts';
import { escapeControl } from '../framework/terminal-text.ts';

export const migrateStatus = command({
  name: 'migrate status',
  description: 'Says which changes of the tables have been made, and changes nothing.',
  options: { json: flag('Writes it as JSON.') },
  run: async ({ json }, terminal) => {
    const { applied, pending, unknown } = await inspectStore(loadConfig().database);
    if (json) return terminal.print(`${JSON.stringify({ applied, pending, unknown })}\n`);
    const { success: good, warning: doubtful } = terminal.colours;
    const lines = [
      ...applied.map((name) => `${good('applied')}  ${escapeControl(name)}`),
      ...pending.map((name) => `${doubtful('pending')}  ${name}`),
      ...unknown.map(
        (name) => `${doubtful('unknown')}  ${escapeControl(name)}, by a later version of Portico`,
      ),
    ];
    await terminal.print(lines.map((line) => `${line}\n`).join(''));
    if (pending.length > 0)
      await terminal.notify('portico migrate up applies what is pending, and so does the next start.');
  },
});
