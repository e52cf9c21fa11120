import { sql } from 'kysely';
import type { ProviderObject } from '#application/ports/charge-lifecycle.ts';
import type { ReconciliationTask, ReconciliationTaskStore } from '#application/ports/reconciliation-tasks.ts';
import type { Instant } from '#domain/instant.ts';
import {
  ProviderEventPositionEntity,
  type ReconciliationTaskRow,
  reconciliationTasks,
} from '../schema/entities/infrastructure.ts';
import type { Value } from '../schema/entities/table.ts';
import { type Builder, compile, parameter } from './builder.ts';
import type { Dialect } from './dialect.ts';
import type { TableSession } from './session.ts';
import type { CompiledStatement } from './sql-table.ts';

const { name, columns, key, fromRow } = reconciliationTasks;
const { tableName: positions } = ProviderEventPositionEntity;

/** What identifies a task until an event names its object. */
const identity = [...key, 'events', 'created_at'] as const;

export const compileReconciliationTasks = (
  builder: Builder,
  dialect: Pick<Dialect, 'insertUnlessExists'>,
) => {
  const select = builder.selectFrom(name).select([...columns]);
  const update = builder.updateTable(name);
  const insert = builder
    .insertInto(name)
    .values(Object.fromEntries(columns.map((column) => [column, parameter(column)])));
  const positionRow = builder
    .insertInto(positions)
    .values({ provider: parameter('provider'), seen_until: parameter('seen_until') });

  return {
    find: compile(
      `${name}_find`,
      key.reduce((query, column) => query.where(column, '=', parameter(column)), select),
    ),
    listDue: compile(
      `${name}_due`,
      select
        .where('provider', '=', parameter('provider'))
        .where('due_at', '<=', parameter('due_at'))
        .orderBy('due_at')
        .limit(parameter<number>('limit')),
    ),
    providers: compile(`${name}_providers`, builder.selectFrom(name).select('provider').distinct()),
    insert: compile(`${name}_insert`, dialect.insertUnlessExists(insert, key)),
    enqueue: compile(
      `${name}_enqueue`,
      key.reduce(
        (query, column) => query.where(column, '=', parameter(column)),
        update.set({
          due_at: parameter('due_at'),
          attempts: sql.lit(0),
          events: sql<number>`${sql.ref('events')} + 1`,
        }),
      ),
    ),
    claim: compile(
      `${name}_claim`,
      identity
        .reduce(
          (query, column) => query.where(column, '=', parameter(column)),
          update.set({
            due_at: parameter('due_at'),
            looked_up_at: parameter('looked_up_at'),
            attempts: sql<number>`${sql.ref('attempts')} + 1`,
          }),
        )
        .where('attempts', '=', parameter('attempts')),
    ),
    postpone: compile(
      `${name}_postpone`,
      identity.reduce(
        (query, column) => query.where(column, '=', parameter(column)),
        update.set({ due_at: parameter('due_at'), attempts: sql.lit(0) }),
      ),
    ),
    remove: compile(
      `${name}_remove_unchanged`,
      identity.reduce(
        (query, column) => query.where(column, '=', parameter(column)),
        builder.deleteFrom(name),
      ),
    ),
    findPosition: compile(
      `${positions}_find`,
      builder.selectFrom(positions).select('seen_until').where('provider', '=', parameter('provider')),
    ),
    insertPosition: compile(`${positions}_insert`, dialect.insertUnlessExists(positionRow, 'provider')),
    advancePosition: compile(
      `${positions}_advance`,
      builder
        .updateTable(positions)
        .set({ seen_until: parameter('seen_until') })
        .where('provider', '=', parameter('provider'))
        .where('seen_until', '<', parameter('seen_until')),
    ),
  };
};

/** Reconciliation tasks over one session. Every change is one statement with its own condition, so that no row need be locked before. */
export class SqlReconciliationTasks implements ReconciliationTaskStore {
  readonly #session: TableSession;
  readonly #compiled: ReturnType<typeof compileReconciliationTasks>;

  constructor(session: TableSession, compiled: ReturnType<typeof compileReconciliationTasks>) {
    this.#session = session;
    this.#compiled = compiled;
  }

  async find(provider: string, providerObject: ProviderObject): Promise<ReconciliationTask | undefined> {
    return (
      await this.#list(this.#compiled.find, [provider, providerObject.kind, providerObject.reference])
    )[0];
  }

  listDue(provider: string, now: Instant, limit: number): Promise<readonly ReconciliationTask[]> {
    return this.#list(this.#compiled.listDue, [provider, now, limit]);
  }

  async providers(): Promise<readonly string[]> {
    const rows = await this.#session.query<Pick<ReconciliationTaskRow, 'provider'>>(
      this.#compiled.providers,
      [],
    );
    return rows.map(({ provider }) => provider);
  }

  async enqueue(provider: string, providerObject: ProviderObject, at: Instant): Promise<void> {
    const countEvent = () =>
      this.#execute(this.#compiled.enqueue, [at, provider, providerObject.kind, providerObject.reference]);
    // The insert waits for another one that has not committed, and then there is a row.
    if ((await countEvent()) || (await this.#insert(provider, providerObject, { at, dueAt: at, events: 1 })))
      return;
    await countEvent();
  }

  async schedule(
    provider: string,
    providerObject: ProviderObject,
    dueAt: Instant,
    at: Instant,
  ): Promise<void> {
    await this.#insert(provider, providerObject, { at, dueAt, events: 0 });
  }

  claim(task: ReconciliationTask, now: Instant, dueAt: Instant): Promise<boolean> {
    return this.#execute(this.#compiled.claim, [dueAt, now, ...identityOf(task), task.attempts]);
  }

  async postpone(task: ReconciliationTask, dueAt: Instant): Promise<void> {
    await this.#execute(this.#compiled.postpone, [dueAt, ...identityOf(task)]);
  }

  async remove(task: ReconciliationTask): Promise<void> {
    await this.#execute(this.#compiled.remove, identityOf(task));
  }

  async eventsReadUntil(provider: string): Promise<Instant | undefined> {
    const [row] = await this.#session.query<{ readonly seen_until: Instant }>(this.#compiled.findPosition, [
      provider,
    ]);
    return row?.seen_until;
  }

  async saveEventsReadUntil(provider: string, until: Instant): Promise<void> {
    if (await this.#execute(this.#compiled.insertPosition, [provider, until])) return;
    await this.#execute(this.#compiled.advancePosition, [until, provider, until]);
  }

  #insert(
    provider: string,
    { kind, reference }: ProviderObject,
    { at, dueAt, events }: { readonly at: Instant; readonly dueAt: Instant; readonly events: number },
  ): Promise<boolean> {
    const row: ReconciliationTaskRow = {
      ...{ provider, kind, reference, created_at: at, due_at: dueAt },
      ...{ looked_up_at: null, attempts: 0, events },
    };
    return this.#execute(
      this.#compiled.insert,
      columns.map((column) => row[column] ?? null),
    );
  }

  async #list(
    statement: CompiledStatement,
    values: readonly Value[],
  ): Promise<readonly ReconciliationTask[]> {
    return (await this.#session.query<ReconciliationTaskRow>(statement, values)).map(fromRow);
  }

  /** @returns whether the statement has changed a row */
  async #execute(statement: CompiledStatement, values: readonly Value[]): Promise<boolean> {
    return (await this.#session.execute(statement, values)) > 0;
  }
}

const identityOf = ({
  provider,
  kind,
  reference,
  events,
  createdAt,
}: ReconciliationTask): readonly Value[] => [provider, kind, reference, events, createdAt];
