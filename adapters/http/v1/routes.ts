import type { UseCases } from '#application/portico.ts';
import { apiKeyRoutes } from './api-keys.ts';
import { orderItemRoutes } from './order-items.ts';
import { orderRoutes } from './orders.ts';
import { paymentRoutes } from './payments.ts';
import { productRoutes } from './products.ts';
import { refundRoutes } from './refunds.ts';
import { reviewRoutes } from './reviews.ts';
import { userRoutes } from './users.ts';

/** Everything that version 1 answers. */
export const v1 = (useCases: UseCases) => [
  ...productRoutes(useCases),
  ...userRoutes(useCases),
  ...orderRoutes(useCases),
  ...orderItemRoutes(useCases),
  ...reviewRoutes(useCases),
  ...paymentRoutes(useCases),
  ...refundRoutes(useCases),
  ...apiKeyRoutes(useCases),
];
