import { sql } from 'kysely';
import type { DeletedDeliveries, WebhookQueue } from '#application/ports/webhook-queue.ts';
import type { Instant } from '#domain/instant.ts';
import type { Id } from '#domain/resource.ts';
import {
  WebhookDelivery,
  type WebhookDeliveryStatus,
  type WebhookTrigger,
  webhookTriggers,
} from '#domain/webhooks/delivery.ts';
import type { WebhookEndpointId } from '#domain/webhooks/endpoint.ts';
import type { Value } from '../schema/entities/table.ts';
import { type WebhookDeliveryRow, webhookDeliveries, webhookEndpoints } from '../schema/entities/webhook.ts';
import { type Builder, compile, parameter } from './builder.ts';
import type { TableSession } from './session.ts';
import type { CompiledStatement } from './sql-table.ts';

const { name, columns, fromRow } = webhookDeliveries;

const deletionBatchSize = 1000;

/** The triggers of deliveries that were enqueued. */
const handedOver = webhookTriggers.filter((trigger) => WebhookDelivery.isHandedOver({ trigger }));

/** The trigger of deliveries that have no event. */
const example: WebhookTrigger = 'test';

/** One of the few words of a column, as part of the text of a statement, so that the planner knows it. */
const word = (status: WebhookDeliveryStatus) => sql.lit(status);

export const compileWebhookQueue = (builder: Builder) => {
  const pending = builder
    .selectFrom(name)
    .where('endpoint_id', '=', parameter('endpoint_id'))
    .where('status', '=', word('pending'));
  const change = builder
    .updateTable(name)
    .set({
      next_attempt_at: parameter('next_attempt_at'),
      version: sql<number>`${sql.ref('version')} + 1`,
      updated_at: parameter('updated_at'),
    })
    .where('endpoint_id', '=', parameter('endpoint_id'))
    .where('status', '=', word('pending'));

  return {
    due: compile(
      `${name}_due`,
      pending
        .select([...columns])
        .where('next_attempt_at', '<=', parameter('next_attempt_at'))
        .orderBy('next_attempt_at')
        .limit(parameter<number>('limit')),
    ),
    first: compile(
      `${name}_first`,
      pending
        .select([...columns])
        .where('next_attempt_at', 'is not', null)
        .orderBy('sequence')
        .orderBy('id')
        .limit(parameter<number>('limit')),
    ),
    untried: compile(
      `${name}_untried`,
      builder
        .selectFrom(
          pending
            .select('id')
            .where('attempt_count', '=', sql.lit(0))
            .limit(parameter<number>('limit'))
            .as('untried'),
        )
        .select(sql<number>`count(*)`.as('untried')),
    ),
    reschedule: compile(`${name}_reschedule`, change),
    replaceSealedSecrets: compile(
      `${webhookEndpoints.name}_reseal`,
      builder
        .updateTable(webhookEndpoints.name)
        .set({ sealed_secrets: parameter('sealed_secrets') })
        .where('id', '=', parameter('id')),
    ),
    cancelAll: compile(`${name}_cancel`, change.set({ status: word('canceled') })),
    cancelEnqueued: compile(
      `${name}_cancel_enqueued`,
      change
        .set({ status: word('canceled') })
        .where('sequence', '>', parameter('sequence'))
        .where(
          'caused_by',
          'in',
          handedOver.map((trigger) => sql.lit(trigger)),
        ),
    ),
    cancelOrphaned: compile(
      `${name}_cancel_orphaned`,
      change
        .set({ status: word('canceled') })
        .where('sequence', '<', parameter('sequence'))
        .where('caused_by', '<>', sql.lit(example)),
    ),
    oldest: compile(
      `${name}_oldest`,
      builder.selectFrom(name).select(['id', 'created_at']).orderBy('id').limit(sql.lit(deletionBatchSize)),
    ),
    undelivered: compile(
      `${name}_undelivered`,
      builder
        .selectFrom(name)
        .select(['endpoint_id', sql<number>`count(*)`.as('undelivered')])
        .where('id', '<=', parameter('id'))
        .where('created_at', '<', parameter('created_at'))
        .where('status', '=', word('pending'))
        .where('caused_by', '<>', sql.lit(example))
        .groupBy('endpoint_id'),
    ),
    remove: compile(
      `${name}_remove_older`,
      builder
        .deleteFrom(name)
        .where('id', '<=', parameter('id'))
        .where('created_at', '<', parameter('created_at')),
    ),
  };
};

/** The queue of deliveries over one session. */
export class SqlWebhookQueue implements WebhookQueue {
  readonly #session: TableSession;
  readonly #compiled: ReturnType<typeof compileWebhookQueue>;

  constructor(session: TableSession, compiled: ReturnType<typeof compileWebhookQueue>) {
    this.#session = session;
    this.#compiled = compiled;
  }

  due(endpointId: WebhookEndpointId, now: Instant, limit: number): Promise<readonly WebhookDelivery[]> {
    return this.#list(this.#compiled.due, [endpointId, now, limit]);
  }

  first(endpointId: WebhookEndpointId, limit: number): Promise<readonly WebhookDelivery[]> {
    return this.#list(this.#compiled.first, [endpointId, limit]);
  }

  async countUntried(endpointId: WebhookEndpointId, limit: number): Promise<number> {
    const [row] = await this.#session.query<{ readonly untried: number | string }>(this.#compiled.untried, [
      endpointId,
      limit,
    ]);
    // PostgreSQL counts in bigint, which may come as a text.
    return Number(row?.untried ?? 0);
  }

  async reschedule(
    endpointId: WebhookEndpointId,
    nextAttemptAt: Instant | null,
    now: Instant,
  ): Promise<void> {
    await this.#session.execute(this.#compiled.reschedule, [nextAttemptAt, now, endpointId]);
  }

  async replaceSealedSecrets(endpointId: WebhookEndpointId, sealedSecrets: readonly string[]): Promise<void> {
    await this.#session.execute(this.#compiled.replaceSealedSecrets, [
      JSON.stringify(sealedSecrets),
      endpointId,
    ]);
  }

  async cancelAll(endpointId: WebhookEndpointId, now: Instant): Promise<void> {
    await this.#session.execute(this.#compiled.cancelAll, [null, now, endpointId]);
  }

  async cancelEnqueued(endpointId: WebhookEndpointId, after: number, now: Instant): Promise<void> {
    await this.#session.execute(this.#compiled.cancelEnqueued, [null, now, endpointId, after]);
  }

  cancelOrphaned(endpointId: WebhookEndpointId, before: number, now: Instant): Promise<number> {
    return this.#session.execute(this.#compiled.cancelOrphaned, [null, now, endpointId, before]);
  }

  async deleteOlder(than: Instant): Promise<DeletedDeliveries> {
    const oldest = await this.#session.query<{ readonly id: Id; readonly created_at: Instant }>(
      this.#compiled.oldest,
      [],
    );
    const last = oldest.findLast(({ created_at }) => created_at < than);
    if (last === undefined) return { hasMore: false, undelivered: [] };
    const rows = await this.#session.query<{
      readonly endpoint_id: WebhookEndpointId;
      readonly undelivered: number | string;
    }>(this.#compiled.undelivered, [last.id, than]);
    await this.#session.execute(this.#compiled.remove, [last.id, than]);
    return {
      hasMore: oldest.length === deletionBatchSize,
      undelivered: rows.map((row) => ({ endpointId: row.endpoint_id, count: Number(row.undelivered) })),
    };
  }

  async #list(statement: CompiledStatement, values: readonly Value[]): Promise<readonly WebhookDelivery[]> {
    return (await this.#session.query<WebhookDeliveryRow>(statement, values)).map(fromRow);
  }
}
