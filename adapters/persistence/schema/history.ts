import type { Inspection, Problem } from '../store.ts';
import type { DatabaseName } from './migrate.ts';
import { migrationsTable } from './migrate.ts';
import { baselineName, migrationsOf } from './migrations/all.ts';

const numbered = (names: string): readonly string[] =>
  names.split(' ').map((name, index) => `${String(index + 1).padStart(4, '0')}-${name}`);

const lastOfAll = ['quantity-step', 'one-review-of-a-product', 'sales-of-disputes', 'times-of-money'].map(
  (name) => `2026-11-30-${name}`,
);

/** The migrations of the builds before the baseline, which makes the same schema as all of them. */
export const earlierSteps: Readonly<Record<DatabaseName, readonly string[]>> = {
  sqlite: [
    ...numbered(
      'initial refund-provider duties sandbox-ledger quotas key-creators shop-fields shop-tables product-words ' +
        'partial-external-ids money-fields money-tables key-resources events webhooks low-stock',
    ),
    ...lastOfAll,
  ],
  postgres: [
    ...numbered(
      'initial refund-provider duties sandbox-ledger quotas key-parts replicas require key-creators shop-fields shop-tables ' +
        'product-words partial-external-ids money-fields money-tables key-resources events webhooks low-stock',
    ),
    ...lastOfAll,
  ],
  mariadb: [
    ...numbered(
      'initial key-creators shop-fields shop-tables product-words money-fields money-tables key-resources events webhooks low-stock',
    ),
    ...lastOfAll,
  ],
};

/** A commit of Portico that has all of these steps. */
const lastEarlierBuild = 'eb897491';

/** Records the baseline in a database of an earlier build, whose tables are those of the baseline. */
export const recordBaseline = `insert into ${migrationsTable} (name) values ('${baselineName}')`;

export const isUpToDate = (database: DatabaseName, applied: readonly string[]): boolean =>
  migrationsOf(database).every(({ name }) => applied.includes(name));

/**
 * Whether a database has been brought to the last step of the builds before the baseline, and does not record that yet. The records of
 * the steps stay, because a process of such a build may still run and check them.
 * @throws HistoryError when the tables are not those from which the migrations go on
 */
export const lacksBaseline = (database: DatabaseName, applied: readonly string[]): boolean => {
  const found = findHistoryProblem(database, applied);
  if (found !== undefined) throw new HistoryError(found);
  return applied.length > 0 && !applied.includes(baselineName);
};

/** Why the migrations cannot go on from those that a database records; undefined when they can. */
export const findHistoryProblem = (
  database: DatabaseName,
  applied: readonly string[],
): Problem | undefined => {
  if (applied.length === 0 || applied.includes(baselineName)) return undefined;
  const earlier = earlierSteps[database];
  const other = applied.find((name) => !earlier.includes(name));
  if (other !== undefined)
    return {
      problem: `records a migration of another program, ${other}`,
      remedy: 'Set DATABASE_URL to a database for Portico alone.',
    };
  const missing = earlier.find((name) => !applied.includes(name));
  if (missing === undefined) return undefined;
  return {
    problem: `was left by an early build of Portico before its migration ${missing}`,
    remedy: `Start the build of commit ${lastEarlierBuild} on it once, which applies the rest. Then start this one.`,
  };
};

/** Compares the migrations of this version with those that a database records. */
export const compareMigrations = (
  database: DatabaseName,
  recorded: readonly string[],
): Pick<Inspection, 'applied' | 'pending' | 'unknown'> => {
  const names = migrationsOf(database).map(({ name }) => name);
  const earlier = earlierSteps[database];
  const hasBaseline = earlier.every((name) => recorded.includes(name));
  const applied = hasBaseline ? [baselineName, ...recorded] : recorded;
  return {
    applied: names.filter((name) => applied.includes(name)),
    pending: names.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !names.includes(name) && !(hasBaseline && earlier.includes(name))),
  };
};

/** A database records other migrations than those from which this version goes on. Nothing was changed. */
export class HistoryError extends Error {
  constructor({ problem, remedy }: Problem) {
    super(`The database ${problem}. ${remedy}`);
    this.name = 'HistoryError';
  }
}
