import type { UseCases } from '#application/application.ts';
import { apiKeyRoutes } from './api-keys.ts';
import { captureRoutes } from './captures.ts';
import { disputeRoutes } from './disputes.ts';
import { erasureRoutes } from './erasures.ts';
import { expandables } from './expansions.ts';
import { orderItemRoutes } from './order-items.ts';
import { orderRoutes } from './orders.ts';
import { paymentRoutes } from './payments.ts';
import { productRoutes } from './products.ts';
import { refundRoutes } from './refunds.ts';
import { reviewRoutes } from './reviews.ts';
import { stockChangeRoutes } from './stock-changes.ts';
import { userRoutes } from './users.ts';

/** The tags of the OpenAPI document: collections, as they stand in paths. */
export const subjects: Readonly<Record<string, string>> = {
  'api-keys': 'Credentials. Users manage their own keys, administrators all keys.',
  captures: 'Captures of authorized payments by staff.',
  disputes: 'Disputes of payments, as the payment provider tells them. Staff read them.',
  erasures: 'Erasures of personal data. Administrators begin them.',
  orders: 'Orders with their items, from placement to fulfillment.',
  payments: 'Payments. Each order is paid once, in full.',
  products: 'The catalogue. Staff manage it, customers see its active products.',
  refunds: 'Refunds of payments, in part or in full.',
  reviews: 'Reviews of products by customers who bought them.',
  'stock-changes': 'Corrections of counted stocks by staff.',
  users: 'Customers, and the staff of the shop.',
};

/** The routes of version 1. */
export const v1 = (useCases: UseCases) => {
  const { orders, payments, refunds, reviews } = expandables(useCases);
  return [
    ...productRoutes(useCases),
    ...stockChangeRoutes(useCases),
    ...userRoutes(useCases),
    ...erasureRoutes(useCases),
    ...orderRoutes(useCases, orders),
    ...orderItemRoutes(useCases),
    ...reviewRoutes(useCases, reviews),
    ...paymentRoutes(useCases, payments),
    ...captureRoutes(useCases),
    ...disputeRoutes(useCases),
    ...refundRoutes(useCases, refunds),
    ...apiKeyRoutes(useCases),
  ];
};
