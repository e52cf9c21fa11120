import { Apps } from '../support/apps.ts';
import { describeRevocation } from './revocation.suite.ts';

const title =
  'Of two servers of one database, the one that did not handle the change, on SQLite and on PostgreSQL,';

// Credentials are cached for a shorter time than the default, for which `revocation.e2e.test.ts` waits.
describeRevocation(
  title,
  async (databaseUrl) => {
    const apps = new Apps();
    await apps.startMany(2, { DATABASE_URL: databaseUrl }, { credentialTtlMs: 200 });
    return apps;
  },
  { lifetimeMs: 500, timeoutMs: 10_000 },
);
