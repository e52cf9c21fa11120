import { once } from 'node:events';
import { startApp } from '../app.ts';
import { banner } from '../banner.ts';
import { command } from '../command-line/command.ts';
import { ReaderGone } from '../command-line/terminal.ts';
import { configured } from '../environment.ts';

export const start = command({
  name: 'start',
  says: 'Serves the API until SIGINT or SIGTERM, as npm start does.',
  details: ['Settings come from the environment, or from a file .env in this folder; the README lists them.'],
  run: async (_, terminal) => {
    const config = configured();
    const app = await startApp(config);
    await terminal.print(banner(app, config)).catch(evenIfNobodyReads);
    const signal = terminal.interruption();
    if (!signal.aborted) await once(signal, 'abort');
    await app.close();
  },
});

const evenIfNobodyReads = (error: unknown): void => {
  if (!(error instanceof ReaderGone)) throw error;
};
