import { describeBuyers } from './buyers.ts';
import { describeCollections } from './collections.ts';
import { describeCommits } from './commits.ts';
import { describeConstraints } from './constraints.ts';
import { describeDeadlines } from './deadlines.ts';
import { describeFilters } from './filters.ts';
import { describeIdempotency } from './idempotency.ts';
import { describeIdempotencyKeys } from './idempotency-keys.ts';
import { describeIsolation } from './isolation.ts';
import { describeLeases } from './leader-lease.ts';
import { describeLocks } from './locks.ts';
import { describeOwnChanges } from './own-changes.ts';
import { describePages } from './pages.ts';
import { describeProcesses } from './processes.ts';
import { describeRaces } from './races.ts';
import { describeRoundTrips } from './round-trips.ts';
import { describeSandboxLedger } from './sandbox-ledger.ts';
import { describeSequences } from './sequences.ts';
import { describeSeveral } from './several.ts';
import { describeSideBySide } from './side-by-side.ts';
import { describeTexts } from './texts.ts';
import { describeTogether } from './together.ts';
import { describeTransfers } from './transfers.ts';
import { describeUnitOfWork } from './unit-of-work.ts';

/** All that every store promises, however it keeps things. */
export const suites = [
  describeUnitOfWork,
  describeOwnChanges,
  describeCommits,
  describeIsolation,
  describeLocks,
  describeDeadlines,
  describeRaces,
  describeProcesses,
  describeTransfers,
  describeSequences,
  describeTogether,
  describeCollections,
  describeConstraints,
  describeSeveral,
  describeFilters,
  describeRoundTrips,
  describeSideBySide,
  describeTexts,
  describePages,
  describeIdempotencyKeys,
  describeIdempotency,
  describeLeases,
  describeSandboxLedger,
  describeBuyers,
];
