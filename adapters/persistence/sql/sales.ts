import { sql } from 'kysely';
import type { SalesReader } from '#application/ports/sales.ts';
import { Instant } from '#domain/instant.ts';
import type { SalesPeriod, SalesSums, StatusSum } from '#domain/sales.ts';
import { disputes } from '../schema/entities/dispute.ts';
import { orders } from '../schema/entities/order.ts';
import { payments } from '../schema/entities/payment.ts';
import { refunds } from '../schema/entities/refund.ts';
import { type Builder, compile, parameter } from './builder.ts';
import { sinceYearOne } from './created-between/year-one.ts';
import type { Dialect } from './dialect.ts';
import type { ReadSession } from './session.ts';
import type { CompiledStatement } from './sql-table.ts';

/** Amounts are summed in two parts, the lower of this many bits: SQLite rejects sums above 2^63, and its driver rounds above 2^53. */
const lowBits = 26;

/** How many rows a statement sums where it blocks the process. */
const maxRows = 2_000;

interface SumRow<Status extends string> {
  readonly status: Status;
  readonly currency: string;
  /** PostgreSQL and MariaDB return counts and sums as texts. */
  readonly row_count: number | string;
  readonly high: number | string;
  readonly low: number | string;
}

export const compileSales = (builder: Builder) => {
  /** @param released the column that is subtracted from the amount, if there is one */
  const compileTable = (table: string, amount: string, currency: string, released?: string) => {
    const summed = released ? sql`(${sql.ref(amount)} - ${sql.ref(released)})` : sql.ref(amount);
    const inPeriod = builder
      .selectFrom(table)
      .where('created_at', '>=', parameter('created_from'))
      .where('created_at', '<', parameter('created_before'));
    return {
      sum: compile(
        `${table}_sum`,
        inPeriod
          .select([
            'status',
            sql<string>`${sql.ref(currency)}`.as('currency'),
            sql<number>`count(*)`.as('row_count'),
            sql<number>`sum(${summed} >> ${sql.lit(lowBits)})`.as('high'),
            sql<number>`sum(${summed} & ${sql.lit(2 ** lowBits - 1)})`.as('low'),
          ])
          .groupBy(['status', currency]),
      ),
      /** Finds the first row that is too many. */
      tooMany: compile(
        `${table}_too_many`,
        inPeriod.select('created_at').orderBy('created_at').limit(sql.lit(1)).offset(sql.lit(maxRows)),
      ),
    };
  };
  return {
    orders: compileTable(orders.name, 'total_amount', 'total_currency'),
    refunds: compileTable(refunds.name, 'amount', 'currency'),
    payments: compileTable(payments.name, 'amount', 'currency', 'released_amount'),
    disputes: compileTable(disputes.name, 'amount', 'currency'),
  };
};

type Compiled = ReturnType<typeof compileSales>;

/** Sums over one session. */
export class SqlSales implements SalesReader {
  readonly #session: Pick<ReadSession, 'query'>;
  readonly #compiled: Compiled;
  readonly #endOfTurn: Dialect['endOfTurn'];

  constructor(session: Pick<ReadSession, 'query'>, compiled: Compiled, endOfTurn: Dialect['endOfTurn']) {
    this.#session = session;
    this.#compiled = compiled;
    this.#endOfTurn = endOfTurn;
  }

  async sum({ from, until }: SalesPeriod): Promise<SalesSums> {
    const period = { from: sinceYearOne(from), until: sinceYearOne(until) };
    return {
      orders: await this.#sums(this.#compiled.orders, period),
      refunds: await this.#sums(this.#compiled.refunds, period),
      payments: await this.#sums(this.#compiled.payments, period),
      disputes: await this.#sums(this.#compiled.disputes, period),
    };
  }

  async #sums<Status extends string>(
    { sum, tooMany }: Compiled[keyof Compiled],
    period: SalesPeriod,
  ): Promise<readonly StatusSum<Status>[]> {
    const sums: StatusSum<Status>[] = [];
    for await (const { from, until } of this.#partsOf(period, tooMany)) {
      for (const row of await this.#session.query<SumRow<Status>>(sum, [from, until]))
        sums.push({
          ...{ status: row.status, currency: row.currency, count: Number(row.row_count) },
          amount: (BigInt(row.high) << BigInt(lowBits)) + BigInt(row.low),
        });
    }
    return sums;
  }

  /** Divides a period so that no statement blocks the process for long, except for what was created in one millisecond. */
  async *#partsOf({ from, until }: SalesPeriod, tooMany: CompiledStatement): AsyncIterable<SalesPeriod> {
    if (this.#endOfTurn === undefined) {
      yield { from, until };
      return;
    }
    for (let begin = from; begin < until; ) {
      await this.#endOfTurn();
      const [row] = await this.#session.query<{ readonly created_at: Instant }>(tooMany, [begin, until]);
      const end = row === undefined ? until : later(row.created_at, Instant.plus(begin, 1));
      yield { from: begin, until: end };
      begin = end;
    }
  }
}

const later = (one: Instant, other: Instant): Instant => (one > other ? one : other);
