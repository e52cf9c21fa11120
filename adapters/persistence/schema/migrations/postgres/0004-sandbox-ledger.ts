import { Migration } from '@mikro-orm/migrations';

/** Adds the ledger of the sandbox provider, which until now each process kept in memory. */
export class SandboxLedger extends Migration {
  override up(): void {
    this.addSql(`
      create table sandbox_ledger (
        id text not null,
        verdict text not null,
        primary key (id)
      )
    `);
  }
}
