import { Migration } from '@mikro-orm/migrations';

/** Adds the key with which each API key was created. It is no reference, because that key may be revoked first. */
export class KeyCreators extends Migration {
  override up(): void {
    this.addSql('alter table api_keys add column if not exists created_by varchar(36) null');
    this.addSql('create index if not exists api_keys_created_by_id_index on api_keys (created_by, id)');
  }
}
