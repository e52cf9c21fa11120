import { Migration } from '@mikro-orm/migrations';

/** Adds what the user of an idempotency key sees who looks it up. Rows without an id are in no list; they expire within a day. */
export class KeyResources extends Migration {
  override up(): void {
    const keys = 'idempotency_keys';
    this.addSql(`alter table ${keys} add column id uuid null`);
    this.addSql(`alter table ${keys} add column version int not null default 1`);
    this.addSql(`alter table ${keys} add column updated_at timestamptz(3) null`);
    for (const column of ['method', 'path', 'request_id', 'field_hashes'])
      this.addSql(`alter table ${keys} add column ${column} text null`);
    // No row has an id yet, so the index is empty, and made by one scan of each partition. New partitions get it, too.
    this.addSql(`create index ${keys}_user_id_id_index on ${keys} (user_id, id) where id is not null`);
  }
}
