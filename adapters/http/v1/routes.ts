import type { UseCases } from '#application/application.ts';
import type { Scope } from '#domain/access.ts';
import { apiKeyRoutes } from './api-keys.ts';
import { orderItemRoutes } from './order-items.ts';
import { orderRoutes } from './orders.ts';
import { paymentRoutes } from './payments.ts';
import { productRoutes } from './products.ts';
import { refundRoutes } from './refunds.ts';
import { reviewRoutes } from './reviews.ts';
import { userRoutes } from './users.ts';

/** What its routes are about, by the first part of their scopes. */
export const subjects: Readonly<Record<Subject, string>> = {
  'api-keys': 'Credentials. Everybody keeps their own, administrators everybody’s.',
  orders: 'From the basket to the door, with the items that each order holds.',
  payments: 'An order is paid once, in full.',
  products: 'The catalogue: staff keep it, customers see what is active in it.',
  refunds: 'What has been paid goes back, in part or as a whole.',
  reviews: 'What buyers say of what they bought.',
  users: 'Who buys, and who runs the shop.',
};

type Subject = Scope extends `${infer Name}:${string}` ? Name : never;

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
