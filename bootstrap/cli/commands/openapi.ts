import { writeFile } from 'node:fs/promises';
import { describeApi } from '#adapters/http/versions.ts';
import { containerFor } from '../../composition/container.ts';
import { shutdown } from '../../composition/shutdown.ts';
import { tokens } from '../../composition/tokens.ts';
import { readConfig } from '../../config/config.ts';
import { command, nonEmpty, value } from '../framework/command.ts';

export const openapi = command({
  name: 'openapi',
  description: 'Writes the API’s description as an OpenAPI document. It needs no settings and no database.',
  operands: {
    file: value('FILE', { description: 'Where to; standard output, unless it is said.', parse: nonEmpty }),
  },
  run: async ({ file }, terminal) => {
    const text = `${JSON.stringify(await description(), null, 2)}\n`;
    if (file === undefined || file === '-') return terminal.print(text);
    await writeFile(file, text);
    await terminal.notify(`Wrote ${file}.`);
  },
});

/** It follows from what can be asked for, wherever that would be kept. */
const description = async () => {
  const container = containerFor(readConfig({ DATABASE_URL: 'memory:' }));
  try {
    return describeApi((await container.getAsync(tokens.portico)).useCases);
  } finally {
    await shutdown(container);
  }
};
