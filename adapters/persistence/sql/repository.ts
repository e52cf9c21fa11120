import {
  type Collections,
  Page,
  type PageRequest,
  type Repository,
} from '#application/ports/repositories.ts';
import type { Id } from '#domain/id.ts';
import type { Table, Value } from '../schema/entities/table.ts';
import type { SqlSession, Statement } from './session.ts';
import type { Statements } from './statements.ts';

/** The repository of one collection over one session. An update matches the version that it replaces (optimistic locking). */
export class SqlRepository<C extends keyof Collections, Row extends object>
  implements Repository<Collections[C]['resource'], Collections[C]['filter']>
{
  readonly #session: SqlSession;
  readonly #table: Table<C, Row>;
  readonly #statements: Statements;

  constructor(session: SqlSession, table: Table<C, Row>, statements: Statements) {
    this.#session = session;
    this.#table = table;
    this.#statements = statements;
  }

  async find(id: Id): Promise<Collections[C]['resource'] | undefined> {
    const [row] = await this.#session.query<Row>(this.#statements.find, [id]);
    return row && this.#table.fromRow(row);
  }

  async lock(id: Id): Promise<Collections[C]['resource'] | undefined> {
    const [row] = await this.#session.query<Row>(this.#statements.lock, [id]);
    return row && this.#table.fromRow(row);
  }

  async page(
    filter: Collections[C]['filter'],
    { after, limit }: PageRequest,
  ): Promise<Page<Collections[C]['resource']>> {
    const { statement, values } = this.#statements.page({ filter, after, limit: limit + 1 });
    const rows = await this.#session.query<Row>(statement, values);
    return Page.of(rows.map(this.#table.fromRow), limit);
  }

  findBy<N extends keyof Collections[C]['filter'] & string>(
    field: N,
    values: readonly NonNullable<Collections[C]['filter'][N]>[],
  ): Promise<Collections[C]['resource'][]> {
    return this.#selectBy(this.#statements.findBy(field), field, values);
  }

  lockBy<N extends keyof Collections[C]['filter'] & string>(
    field: N,
    values: readonly NonNullable<Collections[C]['filter'][N]>[],
  ): Promise<Collections[C]['resource'][]> {
    return this.#selectBy(this.#statements.lockBy(field), field, values);
  }

  async add(resource: Collections[C]['resource']): Promise<void> {
    await this.#session.execute(this.#statements.insert, this.#valuesOf(resource));
  }

  async addAll(resources: readonly Collections[C]['resource'][]): Promise<void> {
    await this.#executeAll(this.#statements.insertAll, resources);
  }

  async save(resource: Collections[C]['resource']): Promise<void> {
    const [id, ...others] = this.#valuesOf(resource);
    const values = [...others, id ?? null, resource.version - 1];
    await this.#session.execute(this.#statements.update, values, 1);
  }

  async saveAll(resources: readonly Collections[C]['resource'][]): Promise<void> {
    await this.#executeAll(this.#statements.updateAll, resources);
  }

  async remove(id: Id): Promise<void> {
    await this.#session.execute(this.#statements.remove, [id]);
  }

  async #selectBy<N extends keyof Collections[C]['filter']>(
    statement: Statement,
    field: N,
    values: readonly unknown[],
  ): Promise<Collections[C]['resource'][]> {
    if (values.length === 0) return [];
    const keys = JSON.stringify(values.map((value) => ({ [this.#table.filters[field]]: value })));
    const rows = await this.#session.query<Row>(statement, [keys]);
    return rows.map(this.#table.fromRow);
  }

  async #executeAll(statement: Statement, resources: readonly Collections[C]['resource'][]): Promise<void> {
    if (resources.length === 0) return;
    const rows = JSON.stringify(resources.map(this.#table.toRow));
    await this.#session.execute(statement, [rows], resources.length);
  }

  #valuesOf(resource: Collections[C]['resource']): Value[] {
    const row = this.#table.toRow(resource);
    return this.#table.columns.map((column) => row[column]);
  }
}
