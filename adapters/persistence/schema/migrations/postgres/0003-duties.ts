import { Migration } from '@mikro-orm/migrations';

/** What one process at a time does for all. */
export class Duties extends Migration {
  override up(): void {
    this.addSql(`
      create table duties (
        name text not null,
        holder text not null,
        until timestamptz(3) not null,
        primary key (name)
      )
    `);
  }
}
