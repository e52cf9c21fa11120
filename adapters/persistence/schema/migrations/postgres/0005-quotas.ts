import { Migration } from '@mikro-orm/migrations';

/** Adds the rate-limit quotas granted to each key in its window, which until now each process counted for itself. */
export class Quotas extends Migration {
  override up(): void {
    this.addSql(`
      create table quotas (
        key uuid not null,
        ends_at bigint not null,
        used integer not null,
        granted integer not null,
        primary key (key)
      )
    `);
    this.addSql('create index quotas_ends_at_index on quotas (ends_at)');
  }
}
