import { writeFile } from 'node:fs/promises';
import { describeApi } from '#adapters/http/versions.ts';
import { closeAll } from '../close-all.ts';
import { command } from '../command-line/command.ts';
import { value, words } from '../command-line/option.ts';
import { readConfig } from '../config.ts';
import { containerFor } from '../container.ts';
import { tokens } from '../tokens.ts';

export const openapi = command({
  name: 'openapi',
  says: 'Writes the API’s description as an OpenAPI document. It needs no settings and no database.',
  operands: {
    file: value('FILE', { says: 'Where to; standard output, unless it is said.', read: words }),
  },
  run: async ({ file }, terminal) => {
    const text = `${JSON.stringify(await description(), null, 2)}\n`;
    if (file === undefined || file === '-') return terminal.print(text);
    await writeFile(file, text);
    await terminal.note(`Wrote ${file}.`);
  },
});

/** It follows from what can be asked for, wherever that would be kept. */
const description = async () => {
  const container = containerFor(readConfig({ DATABASE_URL: 'memory:' }));
  try {
    return describeApi((await container.getAsync(tokens.portico)).useCases);
  } finally {
    await closeAll(container);
  }
};
