import { latest } from '#adapters/http/versions.ts';
import type { App } from '../composition/app.ts';
import type { Config } from '../config/config.ts';
import { type Database, defaultDatabase, isPersistent } from '../config/database.ts';

/** The text that `npm start` prints once the service runs. It shows keys only when this start has created them. */
export const banner = ({ url, opsUrl, demoKeys }: App, { database, adminApiKey }: Config): string => {
  const lines = [`Portico serves ${url}/${latest}`];
  if (opsUrl) lines.push(`Docs are at  ${opsUrl}/docs`, `Health is at  ${opsUrl}/readyz`);
  if (demoKeys) {
    lines.push(
      '',
      'A demonstration shop has been created. Its keys are shown only once:',
      `  admin     ${demoKeys.admin}`,
      `  customer  ${demoKeys.customer}`,
      '',
      'Try it:',
      `  curl -s -H 'Authorization: Bearer ${demoKeys.customer}' '${url}/${latest}/products?limit=3'`,
    );
  } else if (adminApiKey === undefined) {
    lines.push('', ...firstKey(database));
  }
  if (database.url === defaultDatabase.url) {
    lines.push(
      '',
      `All data is in ${defaultDatabase.file}. To move to PostgreSQL, start with`,
      '  DATABASE_URL=postgres://user:password@host:5432/database ADMIN_API_KEY=... npm start',
    );
  }
  return `${lines.join('\n')}\n`;
};

/** How to create a first API key. A command is another process, so it reaches persistent databases only. */
const firstKey = (database: Database): readonly string[] => {
  if (isPersistent(database)) {
    const where = database.url === defaultDatabase.url ? '' : ', with the same DATABASE_URL';
    return [
      `Every request needs an API key. To create one${where}:`,
      '  npm run portico -- keys create --admin',
    ];
  }
  return [
    'Every request needs an API key. Commands cannot reach a database in memory, so set the first key yourself:',
    '  ADMIN_API_KEY=<32 characters or more> npm start',
  ];
};
