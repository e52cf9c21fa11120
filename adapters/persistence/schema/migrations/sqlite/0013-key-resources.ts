import { Migration } from '@mikro-orm/migrations';

/** Adds what the user of an idempotency key sees who looks it up. Rows without an id are in no list; they expire within a day. */
export class KeyResources extends Migration {
  override up(): void {
    const keys = 'idempotency_keys';
    this.addSql(`alter table ${keys} add column id text null`);
    this.addSql(`alter table ${keys} add column version integer not null default 1`);
    for (const column of ['updated_at', 'method', 'path', 'request_id', 'field_hashes'])
      this.addSql(`alter table ${keys} add column ${column} text null`);
    this.addSql(`create index ${keys}_user_id_id_index on ${keys} (user_id, id) where id is not null`);
  }
}
