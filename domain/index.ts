// The entry `portico/domain`: all concepts of the domain.
export * from './access.ts';
export * from './api-key.ts';
export * from './brand.ts';
export * from './email.ts';
export * from './errors.ts';
export * from './instant.ts';
export * from './money.ts';
export * from './order.ts';
export * from './payment.ts';
export * from './product.ts';
export * from './quantity.ts';
export * from './refund.ts';
export * from './resource.ts';
export * from './review.ts';
export * from './rule.ts';
export * from './text.ts';
export * from './user.ts';
