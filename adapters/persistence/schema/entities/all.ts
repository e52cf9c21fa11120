import type { Collections } from '#application/ports/repositories.ts';
import { apiKeys } from './api-key.ts';
import { captures } from './capture.ts';
import { isInstant } from './columns.ts';
import { disputes } from './dispute.ts';
import { erasures } from './erasure.ts';
import {
  EventEntity,
  EventFeedEntity,
  EventQueueEntity,
  MariaDbEventQueueEntity,
  SqliteEventEntity,
} from './event.ts';
import { IdempotencyKeyEntity, PartitionedIdempotencyKeyEntity } from './idempotency-key.ts';
import { identities } from './identity.ts';
import {
  LeaseEntity,
  ProviderEventPositionEntity,
  QuotaEntity,
  ReconciliationTaskEntity,
  SandboxVerdictEntity,
} from './infrastructure.ts';
import { orderItems, orders } from './order.ts';
import { payments } from './payment.ts';
import { products } from './product.ts';
import { ProductWordEntity } from './product-word.ts';
import { refunds } from './refund.ts';
import { reviews } from './review.ts';
import { stockChanges } from './stock-change.ts';
import type { Table } from './table.ts';
import { users } from './user.ts';
import { endpointPositions, webhookDeliveries, webhookEndpoints } from './webhook.ts';

type TableOf<C extends keyof Collections> = Table<C, never>;

/** The table of each collection. Statements, repositories and the comparison of schemas loop over them. */
export const tables = {
  products,
  users,
  orders,
  orderItems,
  reviews,
  payments,
  refunds,
  captures,
  disputes,
  apiKeys,
  identities,
  erasures,
  stockChanges,
  webhookEndpoints,
  endpointPositions,
  webhookDeliveries,
} satisfies {
  readonly [C in keyof Collections]: TableOf<C>;
};

/** Tables that are the same in both databases. */
const shared = [
  ...Object.values(tables).map(({ entity }) => entity),
  ProductWordEntity,
  LeaseEntity,
  SandboxVerdictEntity,
  QuotaEntity,
  ReconciliationTaskEntity,
  ProviderEventPositionEntity,
  EventFeedEntity,
];

/** The entities that the migrations of each database must match; a test compares them. */
export const entities = {
  sqlite: [...shared, SqliteEventEntity, IdempotencyKeyEntity],
  postgres: [...shared, EventEntity, EventQueueEntity, PartitionedIdempotencyKeyEntity],
  mariadb: [...shared, EventEntity, MariaDbEventQueueEntity, IdempotencyKeyEntity],
};

/** The names of the columns that hold instants: each name does in every table that has it. */
export const instantColumns: ReadonlySet<string> = new Set(
  [...shared, EventEntity, IdempotencyKeyEntity].flatMap(({ properties }) =>
    Object.entries(properties).flatMap(([name, property]) => (isInstant(property) ? [name] : [])),
  ),
);
