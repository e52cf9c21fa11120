import { Migration } from '@mikro-orm/migrations';

/** Partitions the idempotency keys by list. The existing rows become the first partition. */
export class KeyParts extends Migration {
  override up(): void {
    const keys = 'idempotency_keys';
    this.addSql(`alter table ${keys} rename to ${keys}_1`);
    this.addSql(`alter table ${keys}_1 drop constraint ${keys}_pkey`);
    this.addSql(`drop index ${keys}_created_at_index`);
    this.addSql(`alter index ${keys}_lease_until_index rename to ${keys}_1_lease_until_idx`);
    this.addSql(`alter table ${keys}_1 add column part int not null default 1`);
    this.addSql(`
      create table ${keys} (
        user_id uuid not null,
        key text not null,
        role text not null,
        fingerprint text not null,
        created_at timestamptz(3) not null,
        answer text null,
        process text null,
        subject uuid null,
        lease_until timestamptz(3) null,
        fence int null,
        part int not null default 1,
        primary key (user_id, key, part)
      ) partition by list (part)
    `);
    this.addSql(`create index ${keys}_created_at_index on ${keys} (created_at) where lease_until is null`);
    this.addSql(
      `create index ${keys}_lease_until_index on ${keys} (lease_until) where lease_until is not null`,
    );
    this.addSql(`alter table ${keys} attach partition ${keys}_1 for values in (1)`);
  }
}
