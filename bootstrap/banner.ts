import { latest } from '#adapters/http/versions.ts';
import type { App } from './app.ts';
import type { Config } from './config.ts';
import { embeddedDefault } from './database.ts';

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
    lines.push(
      '',
      'Callers show their API keys. For a first one, or a lost one:',
      '  npm run portico -- keys create --admin',
    );
  }
  if (database.url === embeddedDefault.url) {
    lines.push(
      '',
      `Everything is kept in ${embeddedDefault.file}. To move to PostgreSQL, start with`,
      '  DATABASE_URL=postgres://user:password@host:5432/database ADMIN_API_KEY=... npm start',
    );
  }
  return `${lines.join('\n')}\n`;
};
