import { ApiKeyEntity } from './api-key.ts';
import { IdempotencyKeyEntity, PartitionedIdempotencyKeyEntity } from './idempotency-key.ts';
import { LeaseEntity, QuotaEntity, SandboxVerdictEntity } from './infrastructure.ts';
import { OrderEntity, OrderItemEntity } from './order.ts';
import { PaymentEntity } from './payment.ts';
import { ProductEntity } from './product.ts';
import { RefundEntity } from './refund.ts';
import { ReviewEntity } from './review.ts';
import { UserEntity } from './user.ts';

/** Tables that are the same in both databases. */
const shared = [
  UserEntity,
  ProductEntity,
  OrderEntity,
  OrderItemEntity,
  ReviewEntity,
  PaymentEntity,
  RefundEntity,
  ApiKeyEntity,
  LeaseEntity,
  SandboxVerdictEntity,
  QuotaEntity,
];

/** The entities that the migrations of each database must match; a test compares them. */
export const entities = {
  sqlite: [...shared, IdempotencyKeyEntity],
  postgres: [...shared, PartitionedIdempotencyKeyEntity],
};
