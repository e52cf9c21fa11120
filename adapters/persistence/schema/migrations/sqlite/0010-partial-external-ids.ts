import { Migration } from '@mikro-orm/migrations';

/** Leaves rows without an external id out of the unique indexes, which an earlier build has made of all rows. */
export class PartialExternalIds extends Migration {
  override up(): void {
    for (const table of ['users', 'orders']) {
      const name = `${table}_external_id_unique`;
      this.addSql(`drop index if exists ${name}`);
      this.addSql(`create unique index ${name} on ${table} (external_id) where external_id is not null`);
    }
  }
}
