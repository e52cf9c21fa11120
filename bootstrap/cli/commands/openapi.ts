import { writeFile } from 'node:fs/promises';
import { describeApi } from '#adapters/http/versions.ts';
import { containerFor } from '../../composition/container.ts';
import { shutdown } from '../../composition/shutdown.ts';
import { tokens } from '../../composition/tokens.ts';
import { readConfig } from '../../config/config.ts';
import { version } from '../../process/version.ts';
import { command, nonEmpty, value } from '../framework/command.ts';

export const openapi = command({
  name: 'openapi',
  description:
    'Write the OpenAPI document of the API. Needs no database, and no setting but PUBLIC_URL, if there is one.',
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
  const { PUBLIC_URL } = process.env;
  const config = readConfig({ DATABASE_URL: 'memory:', PUBLIC_URL });
  const { publicUrl } = config;
  const container = containerFor(config);
  try {
    const { useCases } = await container.getAsync(tokens.application);
    return describeApi(useCases, { release: version, publicUrl });
  } finally {
    await shutdown(container);
  }
};
