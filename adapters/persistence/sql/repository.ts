import {
  type Collections,
  Page,
  type PageRequest,
  type Repository,
} from '#application/ports/repositories.ts';
import type { Id } from '#domain/resource.ts';
import type { Row, Table } from '../schema/entities/table.ts';
import type { TableSession } from './session.ts';
import type { SqlTable } from './sql-table.ts';

/** The repository of one collection over one session: it maps resources to rows, and the session does the rest. */
export class SqlRepository<C extends keyof Collections, R extends object>
  implements Repository<Collections[C]['resource'], Collections[C]['filter']>
{
  readonly #session: TableSession;
  readonly #mapper: Table<C, R>;
  readonly #table: SqlTable;

  constructor(session: TableSession, mapper: Table<C, R>, table: SqlTable) {
    this.#session = session;
    this.#mapper = mapper;
    this.#table = table;
  }

  async find(id: Id): Promise<Collections[C]['resource'] | undefined> {
    return this.#resourceOf(await this.#session.find(this.#table, [id]));
  }

  async lock(id: Id): Promise<Collections[C]['resource'] | undefined> {
    return this.#resourceOf(await this.#session.lock(this.#table, [id]));
  }

  async page(
    filter: Collections[C]['filter'],
    { after, limit }: PageRequest,
  ): Promise<Page<Collections[C]['resource']>> {
    const rows = await this.#session.page(this.#table, { filter, after, limit: limit + 1 });
    return Page.of(this.#resourcesOf(rows), limit);
  }

  async findBy<N extends keyof Collections[C]['filter'] & string>(
    field: N,
    values: readonly NonNullable<Collections[C]['filter'][N]>[],
  ): Promise<Collections[C]['resource'][]> {
    if (values.length === 0) return [];
    const column = this.#mapper.filters[field];
    return this.#resourcesOf(await this.#session.findBy(this.#table, column, values as readonly string[]));
  }

  async lockBy<N extends keyof Collections[C]['filter'] & string>(
    field: N,
    values: readonly NonNullable<Collections[C]['filter'][N]>[],
  ): Promise<Collections[C]['resource'][]> {
    if (values.length === 0) return [];
    const column = this.#mapper.filters[field];
    return this.#resourcesOf(await this.#session.lockBy(this.#table, column, values as readonly string[]));
  }

  add(resource: Collections[C]['resource']): Promise<void> {
    return this.#session.insert(this.#table, this.#mapper.toRow(resource));
  }

  async addAll(resources: readonly Collections[C]['resource'][]): Promise<void> {
    if (resources.length > 0) await this.#session.insertAll(this.#table, resources.map(this.#mapper.toRow));
  }

  save(resource: Collections[C]['resource']): Promise<void> {
    return this.#session.update(this.#table, this.#mapper.toRow(resource));
  }

  async saveAll(resources: readonly Collections[C]['resource'][]): Promise<void> {
    if (resources.length > 0) await this.#session.updateAll(this.#table, resources.map(this.#mapper.toRow));
  }

  remove(id: Id): Promise<void> {
    return this.#session.remove(this.#table, [id]);
  }

  #resourceOf(row: Row | undefined): Collections[C]['resource'] | undefined {
    return row && this.#mapper.fromRow(row as R);
  }

  #resourcesOf(rows: readonly Row[]): Collections[C]['resource'][] {
    return rows.map((row) => this.#mapper.fromRow(row as R));
  }
}
