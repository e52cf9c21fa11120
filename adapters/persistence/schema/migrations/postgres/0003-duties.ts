import { Migration } from '@mikro-orm/migrations';

/** Adds the leader leases, by which one process at a time runs each background job. */
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
