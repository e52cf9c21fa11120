import { sql } from 'kysely';
import type { Place } from '#application/ports/charge-lifecycle.ts';
import type { LookUp, LookUpStore } from '#application/ports/reconciliation-tasks.ts';
import type { Instant } from '#domain/instant.ts';
import { type LookUpRow, lookUps, ProviderNewsEntity } from '../schema/entities/infrastructure.ts';
import type { Value } from '../schema/entities/table.ts';
import { type Builder, compile, parameter } from './builder.ts';
import type { Dialect } from './dialect.ts';
import type { TableSession } from './session.ts';
import type { CompiledStatement } from './sql-table.ts';

const { name, columns, key, fromRow } = lookUps;
const { tableName: news } = ProviderNewsEntity;

/** What identifies a look-up until an event names its place. */
const identity = [...key, 'events', 'created_at'] as const;

export const compileLookUps = (builder: Builder, dialect: Pick<Dialect, 'insertUnlessExists'>) => {
  const select = builder.selectFrom(name).select([...columns]);
  const update = builder.updateTable(name);
  const insert = builder
    .insertInto(name)
    .values(Object.fromEntries(columns.map((column) => [column, parameter(column)])));
  const newsRow = builder
    .insertInto(news)
    .values({ provider: parameter('provider'), seen_until: parameter('seen_until') });

  return {
    find: compile(
      `${name}_find`,
      key.reduce((query, column) => query.where(column, '=', parameter(column)), select),
    ),
    due: compile(
      `${name}_due`,
      select
        .where('provider', '=', parameter('provider'))
        .where('due_at', '<=', parameter('due_at'))
        .orderBy('due_at')
        .limit(parameter<number>('limit')),
    ),
    providers: compile(`${name}_providers`, builder.selectFrom(name).select('provider').distinct()),
    insert: compile(`${name}_insert`, dialect.insertUnlessExists(insert, key)),
    note: compile(
      `${name}_note`,
      key.reduce(
        (query, column) => query.where(column, '=', parameter(column)),
        update.set({
          due_at: parameter('due_at'),
          attempts: sql.lit(0),
          events: sql<number>`${sql.ref('events')} + 1`,
        }),
      ),
    ),
    take: compile(
      `${name}_take`,
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
    findNews: compile(
      `${news}_find`,
      builder.selectFrom(news).select('seen_until').where('provider', '=', parameter('provider')),
    ),
    insertNews: compile(`${news}_insert`, dialect.insertUnlessExists(newsRow, 'provider')),
    advanceNews: compile(
      `${news}_advance`,
      builder
        .updateTable(news)
        .set({ seen_until: parameter('seen_until') })
        .where('provider', '=', parameter('provider'))
        .where('seen_until', '<', parameter('seen_until')),
    ),
  };
};

/** Look-ups over one session. Every change is one statement with its own condition, so that no row need be locked before. */
export class SqlLookUps implements LookUpStore {
  readonly #session: TableSession;
  readonly #compiled: ReturnType<typeof compileLookUps>;

  constructor(session: TableSession, compiled: ReturnType<typeof compileLookUps>) {
    this.#session = session;
    this.#compiled = compiled;
  }

  async find(provider: string, place: Place): Promise<LookUp | undefined> {
    return (await this.#list(this.#compiled.find, [provider, place.kind, place.reference]))[0];
  }

  due(provider: string, now: Instant, limit: number): Promise<readonly LookUp[]> {
    return this.#list(this.#compiled.due, [provider, now, limit]);
  }

  async providers(): Promise<readonly string[]> {
    const rows = await this.#session.query<Pick<LookUpRow, 'provider'>>(this.#compiled.providers, []);
    return rows.map(({ provider }) => provider);
  }

  async note(provider: string, place: Place, at: Instant): Promise<void> {
    const note = () => this.#execute(this.#compiled.note, [at, provider, place.kind, place.reference]);
    // The insert waits for another one that has not committed, and then there is a row.
    if ((await note()) || (await this.#insert(provider, place, { at, dueAt: at, events: 1 }))) return;
    await note();
  }

  async follow(provider: string, place: Place, dueAt: Instant, at: Instant): Promise<void> {
    await this.#insert(provider, place, { at, dueAt, events: 0 });
  }

  take(lookUp: LookUp, now: Instant, dueAt: Instant): Promise<boolean> {
    return this.#execute(this.#compiled.take, [dueAt, now, ...identityOf(lookUp), lookUp.attempts]);
  }

  async postpone(lookUp: LookUp, dueAt: Instant): Promise<void> {
    await this.#execute(this.#compiled.postpone, [dueAt, ...identityOf(lookUp)]);
  }

  async remove(lookUp: LookUp): Promise<void> {
    await this.#execute(this.#compiled.remove, identityOf(lookUp));
  }

  async newsReadUntil(provider: string): Promise<Instant | undefined> {
    const [row] = await this.#session.query<{ readonly seen_until: Instant }>(this.#compiled.findNews, [
      provider,
    ]);
    return row?.seen_until;
  }

  async readNewsUntil(provider: string, until: Instant): Promise<void> {
    if (await this.#execute(this.#compiled.insertNews, [provider, until])) return;
    await this.#execute(this.#compiled.advanceNews, [until, provider, until]);
  }

  #insert(
    provider: string,
    { kind, reference }: Place,
    { at, dueAt, events }: { readonly at: Instant; readonly dueAt: Instant; readonly events: number },
  ): Promise<boolean> {
    const row: LookUpRow = {
      ...{ provider, kind, reference, created_at: at, due_at: dueAt },
      ...{ looked_up_at: null, attempts: 0, events },
    };
    return this.#execute(
      this.#compiled.insert,
      columns.map((column) => row[column] ?? null),
    );
  }

  async #list(statement: CompiledStatement, values: readonly Value[]): Promise<readonly LookUp[]> {
    return (await this.#session.query<LookUpRow>(statement, values)).map(fromRow);
  }

  /** @returns whether the statement has changed a row */
  async #execute(statement: CompiledStatement, values: readonly Value[]): Promise<boolean> {
    return (await this.#session.execute(statement, values)) > 0;
  }
}

const identityOf = ({ provider, kind, reference, events, createdAt }: LookUp): readonly Value[] => [
  provider,
  kind,
  reference,
  events,
  createdAt,
];
