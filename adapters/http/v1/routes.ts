import type { UseCases } from '#application/application.ts';
import { apiKeyRoutes } from './api-keys.ts';
import { captureRoutes } from './captures.ts';
import { disputeRoutes } from './disputes.ts';
import { erasureRoutes } from './erasures.ts';
import { eventRoutes } from './events.ts';
import { expandables } from './expansions.ts';
import { idempotencyKeyRoutes } from './idempotency-keys.ts';
import { orderItemRoutes } from './order-items.ts';
import { orderRoutes } from './orders.ts';
import { paymentRoutes } from './payments.ts';
import { productRoutes } from './products.ts';
import { refundRoutes } from './refunds.ts';
import { reviewRoutes } from './reviews.ts';
import { salesRoutes } from './sales.ts';
import { stockChangeRoutes } from './stock-changes.ts';
import { userRoutes } from './users.ts';
import { webhookDeliveryRoutes } from './webhook-deliveries.ts';
import { webhookEndpointRoutes } from './webhook-endpoints.ts';
import { webhookSecretRoutes } from './webhook-secrets.ts';

/** The tags of the OpenAPI document: collections, as they stand in paths. */
export const subjects: Readonly<Record<string, string>> = {
  'api-keys': 'Credentials. Users manage their own keys, administrators all keys.',
  captures: 'Captures of authorized payments by staff.',
  disputes: 'Disputes of payments, as the payment provider tells them. Staff read them.',
  erasures: 'Erasures of personal data. Administrators begin them.',
  events: 'What has happened, in order. Staff read the feed and resume it where they stopped.',
  'idempotency-keys': 'What became of requests that had an `Idempotency-Key`, for a day.',
  orders: 'Orders with their items, from placement to fulfillment.',
  payments: 'Payments. Each order is paid once, in full.',
  products: 'The catalogue. Staff manage it, customers see its active products.',
  refunds: 'Refunds of payments, in part or in full.',
  reviews: 'Reviews of products by customers who bought them.',
  sales: 'What was ordered, paid and refunded, by day and currency. Staff read it.',
  'stock-changes': 'Corrections of counted stocks by staff.',
  users: 'Customers, and the staff of the shop.',
  'webhook-deliveries': 'What was sent to webhook endpoints, and what became of it. Staff read them.',
  'webhook-endpoints':
    'Where events are sent to, and the secrets that sign them. Administrators manage them.',
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
    ...salesRoutes(useCases),
    ...apiKeyRoutes(useCases),
    ...eventRoutes(useCases),
    ...idempotencyKeyRoutes(useCases),
    ...webhookEndpointRoutes(useCases),
    ...webhookSecretRoutes(useCases),
    ...webhookDeliveryRoutes(useCases),
  ];
};
