import { Migration } from '@mikro-orm/migrations';

/** What one process at a time does for all. */
export class Duties extends Migration {
  override up(): void {
    this.addSql(`
      create table duties (
        name text not null primary key,
        holder text not null,
        until text not null
      )
    `);
  }
}
