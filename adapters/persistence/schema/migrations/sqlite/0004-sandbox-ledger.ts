import { Migration } from '@mikro-orm/migrations';

/** The sandbox's books, which it kept in each process's memory until now. */
export class SandboxLedger extends Migration {
  override up(): void {
    this.addSql(`
      create table sandbox_ledger (
        id text not null primary key,
        verdict text not null
      )
    `);
  }
}
