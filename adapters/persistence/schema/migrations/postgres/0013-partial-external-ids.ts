import { Migration } from '@mikro-orm/migrations';

/**
 * Leaves rows without an external id out of the unique indexes, where an earlier build has made these with a constraint: an order
 * then writes one index less. A table that is partitioned by docs/scaling/orders-by-month.sql has no such constraint.
 */
export class PartialExternalIds extends Migration {
  override up(): void {
    for (const table of ['users', 'orders']) {
      const name = `${table}_external_id_unique`;
      this.addSql(`
        do $do$
        begin
          if exists (select from pg_constraint where conrelid = '${table}'::regclass and conname = '${name}') then
            alter table ${table} drop constraint ${name};
            create unique index ${name} on ${table} (external_id) where external_id is not null;
          end if;
        end
        $do$
      `);
    }
  }
}
