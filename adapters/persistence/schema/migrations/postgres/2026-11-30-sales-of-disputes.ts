import { Migration } from '@mikro-orm/migrations';

/** Adds the index by which the disputes of a period are summed. */
export class SalesOfDisputes extends Migration {
  override up(): void {
    this.addSql(`
      create index if not exists disputes_created_at_id_index on disputes (created_at, id)
    `);
  }
}
