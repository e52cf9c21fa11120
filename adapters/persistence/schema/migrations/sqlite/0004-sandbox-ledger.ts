import { Migration } from '@mikro-orm/migrations';

/** Adds the ledger of the sandbox provider, which used to be in the memory of each process. */
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
