import { Migration } from '@mikro-orm/migrations';

/** Adds what the user of an idempotency key sees who looks it up. Rows without an id are in no list; they expire within a day. */
export class KeyResources extends Migration {
  override up(): void {
    this.addSql(`
      alter table idempotency_keys
        add column if not exists id varchar(36) null,
        add column if not exists version int not null default 1,
        add column if not exists updated_at datetime(3) null,
        add column if not exists method varchar(32) null,
        add column if not exists path text null,
        add column if not exists request_id text null,
        add column if not exists field_hashes text null
    `);
    this.addSql(
      'create index if not exists idempotency_keys_user_id_id_index on idempotency_keys (user_id, id)',
    );
  }
}
