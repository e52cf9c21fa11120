import { Migration } from '@mikro-orm/migrations';

/**
 * Adds the tables of read-your-writes on replicas: each user's LSN, and the timeline epoch that a replica must show. The
 * first is unlogged, so it reaches no replica. An earlier version created both itself where it had replicas.
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
