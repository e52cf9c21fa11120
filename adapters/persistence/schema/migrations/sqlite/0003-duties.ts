import { Migration } from '@mikro-orm/migrations';

/** Adds the leader leases of background jobs. */
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
