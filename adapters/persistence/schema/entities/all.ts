import { ApiKeyEntity } from './api-key.ts';
import { IdempotencyKeyEntity, PartitionedIdempotencyKeyEntity } from './idempotency-key.ts';
import { LeaseEntity } from './lease.ts';
import { OrderEntity } from './order.ts';
import { OrderItemEntity } from './order-item.ts';
import { PaymentEntity } from './payment.ts';
import { ProductEntity } from './product.ts';
import { QuotaEntity } from './quota.ts';
import { RefundEntity } from './refund.ts';
import { ReviewEntity } from './review.ts';
import { SandboxVerdictEntity } from './sandbox-verdict.ts';
import { UserEntity } from './user.ts';

/** What both databases keep in the same way. */
const alike = [
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

/** Everything that MikroORM makes tables of. */
export const entities = {
  sqlite: [...alike, IdempotencyKeyEntity],
  postgres: [...alike, PartitionedIdempotencyKeyEntity],
};
