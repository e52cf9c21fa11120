import { writeFile } from 'node:fs/promises';
import { describeApi } from '#adapters/http/versions.ts';
import { containerFor } from '../../composition/container.ts';
import { shutdown } from '../../composition/shutdown.ts';
import { tokens } from '../../composition/tokens.ts';
import { readConfig } from '../../config/config.ts';
import { command, nonEmpty, value } from '../framework/command.ts';

export const openapi = command({
  name: 'openapi',
  description: 'Write the OpenAPI document of the API. Needs no settings and no database.',
  operands: {
    file: value('FILE', {
      description: 'The file to write. Default: standard output, also named -.',
      parse: nonEmpty,
    }),
  },
  run: async ({ file }, terminal) => {
    const text = `${JSON.stringify(await openapiDocument(), null, 2)}\n`;
    if (file === undefined || file === '-') return terminal.print(text);
    await writeFile(file, text);
    await terminal.notify(`Wrote ${file}.`);
  },
});

/** The document depends on the use cases only, so an in-memory store serves. */
const openapiDocument = async () => {
  const container = containerFor(readConfig({ DATABASE_URL: 'memory:' }));
  try {
    return describeApi((await container.getAsync(tokens.application)).useCases);
  } finally {
    await shutdown(container);
  }
};
