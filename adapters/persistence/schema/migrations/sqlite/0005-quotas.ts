import { Migration } from '@mikro-orm/migrations';

/** Adds the shared rate-limit windows; every process used to count for itself. */
export class Quotas extends Migration {
  override up(): void {
    this.addSql(`
      create table quotas (
        key text not null primary key,
        ends_at bigint not null,
        used integer not null,
        granted integer not null
      )
    `);
    this.addSql('create index quotas_ends_at_index on quotas (ends_at)');
  }
}
