import { Migration } from '@mikro-orm/migrations';

/**
 * Where the primary keeps how far in its log each user's changes reach, and what a replica must show to be one of its own.
 * The first is in no log and on no replica. A version before this one made both by itself where it had replicas.
 */
export class Replicas extends Migration {
  override up(): void {
    this.addSql(`
      create unlogged table if not exists user_positions (
        user_id uuid not null primary key,
        position pg_lsn not null,
        noted_at timestamptz not null default now(),
        lineage uuid null
      ) with (fillfactor = 50)
    `);
    this.addSql('create table if not exists replica_lineage (lineage uuid not null)');
  }
}
