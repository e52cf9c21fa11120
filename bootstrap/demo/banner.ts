import { latest } from '#adapters/http/versions.ts';
import type { App } from '../composition/app.ts';
import type { Config } from '../config/config.ts';
import { type Database, defaultDatabase, isPersistent } from '../config/database.ts';

/** What a person reads once the service runs. Keys are in it only when they have just been made. */
export const banner = ({ url, opsUrl, demoKeys }: App, { database, adminApiKey }: Config): string => {
  const lines = [`Portico serves ${url}/${latest}`];
  if (opsUrl) lines.push(`Docs are at  ${opsUrl}/docs`, `Health is at  ${opsUrl}/readyz`);
  if (demoKeys) {
    lines.push(
      '',
      'A demonstration shop has been made. Its keys are shown this once:',
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
      `Everything is kept in ${defaultDatabase.file}. To move to PostgreSQL, start with`,
      '  DATABASE_URL=postgres://user:password@host:5432/database ADMIN_API_KEY=... npm start',
    );
  }
  return `${lines.join('\n')}\n`;
};

/** A command of its own finds the same database only where that is kept, and named to it. */
const firstKey = (database: Database): readonly string[] => {
  if (isPersistent(database)) {
    const where = database.url === defaultDatabase.url ? '' : ', with the same DATABASE_URL';
    return [
      `Callers show their API keys. For a first one, or a lost one${where}:`,
      '  npm run portico -- keys create --admin',
    ];
  }
  return [
    'Callers show their API keys. What is in memory no command can reach, so choose the first one yourself:',
    '  ADMIN_API_KEY=<32 characters or more> npm start',
  ];
};
