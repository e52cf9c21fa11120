import { tables } from '#adapters/persistence/schema/entities/all.ts';
import { flagOf } from '#adapters/persistence/schema/entities/columns.ts';
import type { Row, Table, Value } from '#adapters/persistence/schema/entities/table.ts';
import {
  type Collections,
  collectionNames,
  type FoundBy,
  Page,
  type PageRequest,
  type ReadRepositories,
  type Repositories,
  type Repository,
  type StoreRepositories,
} from '#application/ports/repositories.ts';
import type { Id } from '#domain/resource.ts';
import type { Builder } from './builder.ts';
import { hasPeriod, partsOfPeriod } from './created-between/parts.ts';
import type { Dialect } from './dialect.ts';
import { compileEvents, SqlEvents } from './events/events.ts';
import { compileIdempotencyKeys, SqlIdempotencyKeys } from './idempotency-keys.ts';
import { compileMissingTimes, SqlMissingTimes } from './missing-times.ts';
import { compileReconciliationTasks, SqlReconciliationTasks } from './reconciliation-tasks.ts';
import { compileSales, SqlSales } from './sales.ts';
import { compileProductWords, SqlProductWords } from './search/product-words.ts';
import type { ReadSession, TableSession } from './session.ts';
import type { PageQuery, SqlTable } from './sql-table.ts';
import { compileTable } from './statements.ts';
import { compileWebhookQueue, SqlWebhookQueue } from './webhook-queue.ts';

/** Opens the repositories over one session. Over one that only reads, their type has no method that changes anything. */
export interface OpenRepositories {
  (session: TableSession): StoreRepositories;
  (session: ReadSession): ReadRepositories;
}

/** Compiles the statements of every table once, so that opening the repositories over a session is cheap. */
export const compileRepositories = (builder: Builder, dialect: Dialect): OpenRepositories => {
  const compiled = compileAll(builder, dialect);
  // The loop in the class adds the getter of each collection.
  return (session: ReadSession) =>
    new SqlRepositories(session as TableSession, compiled) as SqlRepositories & StoreRepositories;
};

const compileAll = (builder: Builder, dialect: Dialect) => ({
  tables: compiledTables.get(dialect) ?? compileTables(builder, dialect),
  idempotencyKeys: compileIdempotencyKeys(builder, dialect),
  productWords: compileProductWords(builder, dialect),
  reconciliationTasks: compileReconciliationTasks(builder, dialect),
  webhookQueue: compileWebhookQueue(builder),
  sales: compileSales(builder),
  missingTimes: compileMissingTimes(builder),
  endOfTurn: dialect.endOfTurn,
  events: compileEvents(builder, dialect),
  purgeIdempotencyKeys: dialect.purgeIdempotencyKeys(builder),
  acquireLease: dialect.acquireLease(builder),
});

type CompiledTables = { readonly [C in keyof Collections]: SqlTable };

/** Another store of this process with the same dialect, as tests open hundreds, has the same statements of tables. */
const compiledTables = new WeakMap<Dialect, CompiledTables>();

const compileTables = (builder: Builder, dialect: Dialect): CompiledTables => {
  const compiled = Object.fromEntries(
    collectionNames.map((name) => [name, compileTable(builder, tables[name], dialect)]),
  ) as CompiledTables;
  compiledTables.set(dialect, compiled);
  return compiled;
};

/** The repositories over one session. Each is made when it is asked for: an operation uses one or two of them. */
class SqlRepositories
  implements
    Pick<
      StoreRepositories,
      | 'idempotencyKeys'
      | 'productWords'
      | 'leases'
      | 'reconciliationTasks'
      | 'webhookQueue'
      | 'sales'
      | 'missingTimes'
      | 'events'
    >
{
  readonly #session: TableSession;
  readonly #compiled: ReturnType<typeof compileAll>;

  static {
    for (const name of collectionNames) {
      Object.defineProperty(SqlRepositories.prototype, name, {
        get(this: SqlRepositories) {
          return new SqlRepository(
            this.#session,
            tables[name] as Table<typeof name, never>,
            this.#compiled.tables[name],
          );
        },
      });
    }
  }

  constructor(session: TableSession, compiled: ReturnType<typeof compileAll>) {
    this.#session = session;
    this.#compiled = compiled;
  }

  get idempotencyKeys() {
    const { idempotencyKeys, purgeIdempotencyKeys } = this.#compiled;
    return new SqlIdempotencyKeys(this.#session, idempotencyKeys, purgeIdempotencyKeys);
  }

  get productWords() {
    return new SqlProductWords(this.#session, this.#compiled.productWords);
  }

  get reconciliationTasks() {
    return new SqlReconciliationTasks(this.#session, this.#compiled.reconciliationTasks);
  }

  get webhookQueue() {
    return new SqlWebhookQueue(this.#session, this.#compiled.webhookQueue);
  }

  get sales() {
    return new SqlSales(this.#session, this.#compiled.sales, this.#compiled.endOfTurn);
  }

  get missingTimes() {
    return new SqlMissingTimes(this.#session, this.#compiled.missingTimes);
  }

  get events() {
    return new SqlEvents(this.#session, this.#compiled.events);
  }

  get leases(): Repositories['leases'] {
    const { acquireLease } = this.#compiled;
    return { acquire: (lease, now) => acquireLease(this.#session, lease, now) };
  }
}

type ResourceOf<C extends keyof Collections> = Collections[C]['resource'];
type FilterOf<C extends keyof Collections> = Collections[C]['filter'];
type Found<C extends keyof Collections> = FoundBy<ResourceOf<C>, FilterOf<C>>;
/** The values by which resources are found. */
type Values<C extends keyof Collections, N extends keyof Found<C>> = readonly NonNullable<Found<C>[N]>[];

/** Values as columns have them. All values of a field have one type. */
const valuesOf = (values: readonly unknown[]): readonly Value[] =>
  (typeof values[0] === 'boolean' ? (values as readonly boolean[]).map(flagOf) : values) as readonly Value[];

const isOneId = (field: string, values: readonly Value[]): boolean => field === 'id' && values.length === 1;

const asList = <T>(found: T | undefined): T[] => (found === undefined ? [] : [found]);

/** The repository of one collection over one session: it maps resources to rows, and the session does the rest. */
class SqlRepository<C extends keyof Collections, R extends object>
  implements Repository<ResourceOf<C>, FilterOf<C>>
{
  readonly #session: TableSession;
  readonly #mapper: Table<C, R>;
  readonly #table: SqlTable;

  constructor(session: TableSession, mapper: Table<C, R>, table: SqlTable) {
    this.#session = session;
    this.#mapper = mapper;
    this.#table = table;
  }

  async find(id: Id): Promise<ResourceOf<C> | undefined> {
    return this.#resourceOf(await this.#session.find(this.#table, [id]));
  }

  async lock(id: Id): Promise<ResourceOf<C> | undefined> {
    return this.#resourceOf(await this.#session.lock(this.#table, [id]));
  }

  async page(filter: FilterOf<C>, request: PageRequest): Promise<Page<ResourceOf<C>>> {
    const { limit } = request;
    const query = { ...request, filter, limit: limit + 1 };
    const rows = await (hasPeriod(request)
      ? this.#pageOfPeriod(query)
      : this.#session.page(this.#table, query));
    return Page.of(this.#resourcesOf(rows), limit);
  }

  async #pageOfPeriod(query: PageQuery): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for (const part of partsOfPeriod(query)) {
      rows.push(...(await this.#session.page(this.#table, { ...part, limit: query.limit - rows.length })));
      if (rows.length === query.limit) break;
    }
    return rows;
  }

  async findBy<N extends keyof Found<C> & string>(field: N, values: Values<C, N>): Promise<ResourceOf<C>[]> {
    if (values.length === 0) return [];
    const given = valuesOf(values);
    // A look-up by key is cheaper than a list, and shares its statement with others.
    if (isOneId(field, given)) return asList(this.#resourceOf(await this.#session.find(this.#table, given)));
    return this.#resourcesOf(await this.#session.findBy(this.#table, this.#columnOf(field), given));
  }

  async firstBy<N extends keyof FilterOf<C> & string>(
    field: N,
    values: readonly NonNullable<FilterOf<C>[N]>[],
    limit: number,
  ): Promise<ResourceOf<C>[]> {
    if (values.length === 0) return [];
    const column = this.#mapper.filters[field];
    return this.#resourcesOf(await this.#session.firstBy(this.#table, column, valuesOf(values), limit));
  }

  async lockBy<N extends keyof Found<C> & string>(field: N, values: Values<C, N>): Promise<ResourceOf<C>[]> {
    if (values.length === 0) return [];
    // MariaDB locks rows in the order of the values, and sorts them afterwards.
    const given = valuesOf(values).toSorted();
    if (isOneId(field, given)) return asList(this.#resourceOf(await this.#session.lock(this.#table, given)));
    return this.#resourcesOf(await this.#session.lockBy(this.#table, this.#columnOf(field), given));
  }

  add(resource: ResourceOf<C>): Promise<void> {
    return this.#session.insert(this.#table, this.#mapper.toRow(resource));
  }

  async addAll(resources: readonly ResourceOf<C>[]): Promise<void> {
    const [row, ...others] = resources.map(this.#mapper.toRow);
    if (row === undefined) return;
    if (others.length === 0) await this.#session.insert(this.#table, row);
    else await this.#session.insertAll(this.#table, [row, ...others]);
  }

  save(resource: ResourceOf<C>): Promise<void> {
    return this.#session.update(this.#table, this.#mapper.toRow(resource));
  }

  async saveAll(resources: readonly ResourceOf<C>[]): Promise<void> {
    const [row, ...others] = resources.map(this.#mapper.toRow);
    if (row === undefined) return;
    if (others.length === 0) await this.#session.update(this.#table, row);
    else await this.#session.updateAll(this.#table, [row, ...others]);
  }

  remove(id: Id): Promise<void> {
    return this.#session.remove(this.#table, [id]);
  }

  #columnOf(field: keyof Found<C> & string): string {
    return field === 'id' ? 'id' : this.#mapper.filters[field as keyof FilterOf<C>];
  }

  #resourceOf(row: Row | undefined): ResourceOf<C> | undefined {
    return row && this.#mapper.fromRow(row as R);
  }

  #resourcesOf(rows: readonly Row[]): ResourceOf<C>[] {
    return rows.map((row) => this.#mapper.fromRow(row as R));
  }
}
