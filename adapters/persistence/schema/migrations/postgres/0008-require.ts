import { Migration } from '@mikro-orm/migrations';

/**
 * The checks of a transaction that PostgreSQL has to make itself. A statement calls `portico_require(met, code)`; unless
 * the condition is true, it raises the SQLSTATE and the transaction is rolled back.
 *
 * - `ZP001`: a row that the transaction read has changed since. Portico runs the unit of work again.
 * - `ZP002`: the deadline of the request has passed before the commit.
 * - `ZP003`: an idempotency key exists already, in any partition. Portico runs the unit of work again, which finds it.
 *
 * The function is volatile, so that the planner neither evaluates it early nor leaves it out.
 * https://www.postgresql.org/docs/18/plpgsql-errors-and-messages.html
 */
export class Require extends Migration {
  override up(): void {
    this.addSql(`
      create or replace function portico_require(met boolean, code text) returns void
      language plpgsql volatile as $$
      begin
        if met is not true then
          raise exception using
            errcode = code,
            message = 'Portico: ' || case code
              when 'ZP001' then 'the row has changed'
              when 'ZP002' then 'the deadline has passed'
              else 'a condition is not met'
            end;
        end if;
      end
      $$
    `);
    this.addSql(
      "comment on function portico_require(boolean, text) is 'Raises the SQLSTATE code unless met is true. Portico calls it before it commits.'",
    );
  }
}
