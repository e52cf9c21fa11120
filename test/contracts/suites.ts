import { describeBuyers } from './buyers.ts';
import { describeCollections } from './collections.ts';
import { describeCommits } from './commits.ts';
import { describeConstraints } from './constraints.ts';
import { describeCreationPeriods } from './creation-periods.ts';
import { describeDeadlines } from './deadlines.ts';
import { describeEvents, describeFeeds } from './events.ts';
import { describeFeedOrder } from './feed-order.ts';
import { describeFilters } from './filters.ts';
import { describeFirstOfEach } from './first-of-each.ts';
import type { Suite } from './harness.ts';
import { describeIdempotency } from './idempotency.ts';
import { describeIdempotencyKeys } from './idempotency-keys.ts';
import { describeIdempotencyLists } from './idempotency-lists.ts';
import { describeIsolation } from './isolation.ts';
import { describeLeases } from './leader-lease.ts';
import { describeLocks } from './locks.ts';
import { describeMissingTimes } from './missing-times.ts';
import { describeOwnChanges } from './own-changes.ts';
import { describeOwnMatches } from './own-matches.ts';
import { describePages } from './pages.ts';
import { describePaidPeriods } from './paid-periods.ts';
import { describeProcesses } from './processes.ts';
import { describeProductWords } from './product-words.ts';
import { describeQueueCosts } from './queue-costs.ts';
import { describeRaces } from './races.ts';
import { describeReconciliationTasks } from './reconciliation-tasks.ts';
import { describeRoundTrips } from './round-trips.ts';
import { describeSales } from './sales.ts';
import { describeSandboxLedger } from './sandbox-ledger.ts';
import { describeSealedSecrets } from './sealed-secrets.ts';
import { describeSequences } from './sequences.ts';
import { describeSeveral } from './several.ts';
import { describeSideBySide } from './side-by-side.ts';
import { describeTexts } from './texts.ts';
import { describeTogether } from './together.ts';
import { describeTransfers } from './transfers.ts';
import { describeUnitOfWork } from './unit-of-work.ts';
import { describeWebhookQueue } from './webhook-queue.ts';

/** A suite, and the sentence of the port that it tests, word for word. */
export interface StoreSuite {
  readonly suite: Suite;
  readonly sentence: string;
}

const serializable =
  'Units of work on the same resources are serializable, as far as each locks what it changes.';
const allOrNone = 'Other operations see all changes or none, and none before the commit.';

/** All that every store promises, however it keeps things. */
export const storeSuites: readonly StoreSuite[] = [
  {
    suite: describeUnitOfWork,
    sentence:
      'It commits durably when `work` resolves, before the returned promise resolves. It rolls back when `work` throws.',
  },
  {
    suite: describeOwnChanges,
    sentence: "Outside a unit of work each sees the latest commit; inside, the unit's own changes too.",
  },
  {
    suite: describeOwnMatches,
    sentence: "Outside a unit of work each sees the latest commit; inside, the unit's own changes too.",
  },
  { suite: describeCommits, sentence: 'Without a context the read sees everything that was committed.' },
  {
    suite: describeIsolation,
    sentence:
      'After a repository has rejected a change, the work is rolled back, even if it catches the error.',
  },
  {
    suite: describeLocks,
    sentence:
      'Finds a resource and locks it: no other unit of work can change or remove it until this one ends.',
  },
  {
    suite: describeDeadlines,
    sentence: 'After the deadline no work starts, no work is retried, and no commit is requested.',
  },
  { suite: describeRaces, sentence: 'Work that loses a conflict is run again from the beginning.' },
  { suite: describeProcesses, sentence: allOrNone },
  { suite: describeTransfers, sentence: serializable },
  { suite: describeSequences, sentence: 'Runs work in one transaction.' },
  { suite: describeTogether, sentence: allOrNone },
  {
    suite: describeCollections,
    sentence: 'Replaces a resource with its next version (optimistic concurrency).',
  },
  { suite: describeConstraints, sentence: 'What is referred to exists, after each single change.' },
  { suite: describeSeveral, sentence: 'Adds each resource as `add` does, in bulk.' },
  {
    suite: describeFilters,
    sentence: 'Finds the resources whose field has one of the values, in ascending order of id',
  },
  {
    suite: describeFirstOfEach,
    sentence: 'Resources of one value never displace those of another.',
  },
  {
    suite: describeRoundTrips,
    sentence: 'Texts are stored whole, up to the longest that the rules of the domain allow',
  },
  { suite: describeSideBySide, sentence: 'Changes happen in the order of the calls.' },
  { suite: describeTexts, sentence: 'Texts are compared and returned code point by code point' },
  {
    suite: describePages,
    sentence:
      'A walk through all pages in either order never repeats a resource, and never omits one that existed throughout, despite concurrent changes.',
  },
  { suite: describeCreationPeriods, sentence: 'A period that ends before it begins matches none.' },
  {
    suite: describePaidPeriods,
    sentence: 'Matches orders by when they were paid, and no order that never was.',
  },
  {
    suite: describeProductWords,
    sentence: 'Lists the products that have all terms',
  },
  {
    suite: describeIdempotencyKeys,
    sentence: 'Their changes commit or roll back with all its other changes.',
  },
  {
    suite: describeIdempotencyLists,
    sentence:
      'Lists the records that have a resource and match, in the order of its id, as `Reader.page` does.',
  },
  {
    suite: describeIdempotency,
    sentence: 'When another unit of work has added one with the same key, this unit of work is run again.',
  },
  { suite: describeLeases, sentence: 'Of concurrent calls by several holders, exactly one succeeds.' },
  {
    suite: describeReconciliationTasks,
    sentence: 'Claims a task before the provider is asked, so that no other process asks at the same time.',
  },
  {
    suite: describeEvents,
    sentence: 'An event exists exactly when the unit of work that appended it has committed.',
  },
  {
    suite: describeFeeds,
    sentence:
      'No hole appears: an event stays as long as one before it does, but for those whose time is later than now.',
  },
  {
    suite: describeFeedOrder,
    sentence: 'Once a sequence was visible, everything before it has been visible.',
  },
  { suite: describeWebhookQueue, sentence: 'A changed delivery reaches its next version.' },
  {
    suite: describeQueueCosts,
    sentence: 'Each call costs the same however many deliveries have ended.',
  },
  {
    suite: describeSealedSecrets,
    sentence: 'Nothing else changes, not even its version, because clients see no difference.',
  },
  {
    suite: describeSales,
    sentence:
      'Counts the orders, refunds, payments and disputes that were created in a period, by status and currency, and sums their amounts exactly, those of payments without what was released.',
  },
  {
    suite: describeMissingTimes,
    sentence:
      'Fills the field of `timeFields` in where it is null, and changes nothing else of these resources: their version stays as it is.',
  },
  { suite: describeBuyers, sentence: serializable },
];

export const suites: readonly Suite[] = [...storeSuites.map(({ suite }) => suite), describeSandboxLedger];
