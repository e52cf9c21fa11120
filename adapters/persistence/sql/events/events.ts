import { sql } from 'kysely';
import {
  EventFeedEntity,
  type EventRow,
  events,
  feedName,
} from '#adapters/persistence/schema/entities/event.ts';
import type { EventFilter, EventPageRequest, EventStore, Feed } from '#application/ports/events.ts';
import { Page } from '#application/ports/page.ts';
import type { Event, NewEvent } from '#domain/event.ts';
import { EventId } from '#domain/event-id.ts';
import type { Instant } from '#domain/instant.ts';
import type { UserId } from '#domain/user.ts';
import { type Builder, compile, parameter } from '../builder.ts';
import type { Dialect } from '../dialect.ts';
import type { TableSession } from '../session.ts';
import { compileTable } from '../statements.ts';
import { compileEventPages, type FindEvents } from './pages.ts';

const { columns, name, fromRow, toRow } = events;
const { tableName: feed } = EventFeedEntity;

/** Bounds how long one deletion blocks other writers, in rows. */
const deletionBatchSize = 200;

export const compileEvents = (builder: Builder, dialect: Dialect) => {
  const { lastSequence, append } = dialect.events;
  const ofFeed = builder.updateTable(feed).where('name', '=', sql.lit(feedName));
  return {
    append: append(builder, (description) => compileTable(builder, description, dialect)),
    page: compileEventPages(builder, dialect),
    table: compileTable(builder, { name, columns, key: ['sequence'], isVersioned: false }, dialect),
    feed: compile(
      `${feed}_find`,
      builder
        .selectFrom(feed)
        .select((is) => [
          'id',
          lastSequence.as('last_sequence'),
          is.selectFrom(name).select('sequence').orderBy('sequence').limit(sql.lit(1)).as('first_sequence'),
        ])
        .where('name', '=', sql.lit(feedName)),
    ),
    replace: compile(
      `${name}_replace`,
      builder
        .updateTable(name)
        .set({ data: parameter('data'), cause: parameter('cause') })
        .where('sequence', '=', parameter('sequence')),
    ),
    oldest: compile(
      `${name}_oldest`,
      builder
        .selectFrom(name)
        .select(['sequence', 'id', 'created_at'])
        .orderBy('sequence')
        .limit(sql.lit(deletionBatchSize)),
    ),
    newest: compile(
      `${name}_newest`,
      builder.selectFrom(name).select('id').orderBy('sequence', 'desc').limit(sql.lit(1)),
    ),
    keepTime: compile(
      `${feed}_keep_time`,
      ofFeed.set({ last_time: parameter('last_time') }).where('last_time', '<', parameter('last_time')),
    ),
    remove: compile(
      `${name}_remove`,
      builder.deleteFrom(name).where('sequence', '<=', parameter('sequence')),
    ),
    renew: compile(
      `${feed}_renew`,
      ofFeed.set({ id: parameter('id'), last_time: sql<number>`${sql.ref('last_time')} + 1` }),
    ),
  };
};

interface FeedRow {
  readonly id: string;
  readonly last_sequence: number;
  readonly first_sequence: number | null;
}

/** The feed over one session. */
export class SqlEvents implements EventStore {
  readonly #session: TableSession;
  readonly #compiled: ReturnType<typeof compileEvents>;

  constructor(session: TableSession, compiled: ReturnType<typeof compileEvents>) {
    this.#session = session;
    this.#compiled = compiled;
  }

  async append(list: readonly NewEvent[]): Promise<void> {
    if (list.length > 0) await this.#compiled.append(this.#session, list.map(toRow));
  }

  async find(id: EventId): Promise<Event | undefined> {
    const row = await this.#session.find(this.#compiled.table, [EventId.sequence(id)]);
    return row?.['id'] === id ? fromRow(row as unknown as EventRow) : undefined;
  }

  async page({ orderId, types }: EventFilter, { after, limit }: EventPageRequest): Promise<Page<Event>> {
    const of = orderId === undefined ? undefined : (['order_id', orderId] as const);
    return Page.of(await this.#list({ of, ...(types && { types }) }, after, limit + 1), limit);
  }

  ofUser(userId: UserId, { after, limit }: EventPageRequest): Promise<readonly Event[]> {
    return this.#list({ of: ['user_id', userId] }, after, limit);
  }

  async feed(): Promise<Feed> {
    const [row] = await this.#session.query<FeedRow>(this.#compiled.feed, []);
    if (row === undefined) throw new TypeError('The store has no feed.');
    const { id, last_sequence: last, first_sequence: first } = row;
    return { id, first: first ?? last + 1, last };
  }

  async replace(list: readonly Event[]): Promise<void> {
    for (const event of list) {
      const { data, cause } = toRow(event);
      await this.#session.execute(this.#compiled.replace, [data, cause, event.sequence]);
    }
  }

  async deleteOlder(than: Instant, now: Instant): Promise<boolean> {
    const oldest = await this.#session.query<EventRow>(this.#compiled.oldest, []);
    const firstKept = oldest.findIndex(({ created_at }) => created_at >= than && created_at <= now);
    const last = (firstKept < 0 ? oldest : oldest.slice(0, firstKept)).findLast(
      ({ created_at }) => created_at < than,
    );
    if (last === undefined) return false;
    await this.#keepTime(last.id);
    await this.#session.execute(this.#compiled.remove, [last.sequence]);
    return firstKept < 0 && oldest.length === deletionBatchSize;
  }

  async renew(id: string): Promise<void> {
    const [newest] = await this.#session.query<EventRow>(this.#compiled.newest, []);
    if (newest !== undefined) await this.#keepTime(newest.id);
    await this.#session.execute(this.#compiled.renew, [id]);
  }

  /** Later ids have no earlier time than this one. */
  async #keepTime(id: EventId): Promise<void> {
    const time = EventId.milliseconds(id);
    await this.#session.execute(this.#compiled.keepTime, [time, time]);
  }

  async #list(...page: Parameters<FindEvents>): Promise<readonly Event[]> {
    const { statement, values } = this.#compiled.page(...page);
    return (await this.#session.query<EventRow>(statement, values)).map(fromRow);
  }
}
