import { sql } from 'kysely';
import { latestPlausibleExpiry } from '#application/ports/system.ts';
import { LeaseEntity } from '../schema/entities/infrastructure.ts';
import { compile, parameter } from './builder.ts';
import type { Dialect } from './dialect.ts';
import type { QuotaDialect } from './quotas.ts';

const { tableName: leases } = LeaseEntity;

/** What SQLite and PostgreSQL have in common: `update ... from`, and `insert ... on conflict`. */
export const onConflictDialect: Pick<Dialect, 'updateFromRows' | 'insertUnlessExists' | 'acquireLease'> = {
  updateFromRows: ({ builder, table, rows, columns }) =>
    builder
      .updateTable(table)
      .from(rows.as('given'))
      .set(Object.fromEntries(columns.map((column) => [column, sql.ref(`given.${column}`)])))
      .whereRef(`${table}.id`, '=', 'given.id')
      .where(`${table}.version`, '=', sql<number>`${sql.ref('given.version')} - 1`),

  insertUnlessExists: (insert, key) =>
    insert.onConflict((conflict) => conflict.columns([key].flat()).doNothing()),

  /** An upsert: one statement checks that the lease is free and acquires it, so of several processes only one succeeds. */
  acquireLease: (builder) => {
    const acquire = compile(
      `${leases}_acquire`,
      builder
        .insertInto(leases)
        .values({ name: parameter('name'), holder: parameter('holder'), until: parameter('until') })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet(({ ref }) => ({ holder: ref('excluded.holder'), until: ref('excluded.until') }))
            .where((is) =>
              is.or([
                is(`${leases}.until`, '<=', parameter('now')),
                is(`${leases}.until`, '>', parameter('latest_plausible')),
                is(`${leases}.holder`, '=', is.ref('excluded.holder')),
              ]),
            ),
        ),
    );
    return async (session, { name, holder, expiresAt }, now) => {
      const values = [name, holder, expiresAt, now, latestPlausibleExpiry(expiresAt)];
      return (await session.execute(acquire, values)) > 0;
    };
  },
};

/** The same for quotas, whose statements are texts. */
export const onConflictQuotas: Pick<QuotaDialect, 'key' | 'excluded' | 'upsert' | 'deleteEnded'> = {
  key: 'key',
  excluded: (column) => `excluded.${column}`,
  upsert: (assignments, where) => {
    const set = assignments.map(([column, value]) => `${column} = ${value}`).join(', ');
    return `on conflict (key) do update set ${set}${where === undefined ? '' : ` where ${where}`}`;
  },
  deleteEnded: (table, where, skipLocked) =>
    `delete from ${table} where key in (select key from ${table} where ${where} order by ends_at limit $1${skipLocked})`,
};
