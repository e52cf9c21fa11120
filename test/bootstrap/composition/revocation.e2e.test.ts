import { Fleet } from '../support/fleet.ts';
import { describeRevocation } from './revocation.suite.ts';

const title = 'Of two processes, the one that did not handle the change, on SQLite and on PostgreSQL,';

// Every process applies a change of rights within five seconds (`test/contracts/authenticator.ts`), and a busy machine shows it later.
describeRevocation(
  title,
  async (databaseUrl) => {
    const fleet = new Fleet();
    await fleet.start(2, { DATABASE_URL: databaseUrl });
    return fleet;
  },
  { lifetimeMs: 2_000, timeoutMs: 20_000 },
);
