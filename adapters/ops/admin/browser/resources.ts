import type { DataOf, Success, Target } from '../client/index.ts';
import type { Requested } from '../client/types.ts';

/* The requests and resources of the API, as the page uses them. */

/** Sends a request. @returns the whole success @throws PorticoError */
export type Send = <T extends Target>(target: T, ...request: Requested<T>) => Promise<Success<T>>;

/** A key, or a function that returns the access token as it is now. */
export type Credential = string | (() => Promise<string>);

export type ApiKey = DataOf<'GET /api-keys/{id}'>;
export type Dispute = DataOf<'GET /disputes'>;
export type IdempotencyKey = DataOf<'GET /idempotency-keys/{id}'>;
export type Order = DataOf<'GET /orders'>;
export type OrderItem = DataOf<'GET /orders/{order_id}/items'>;
export type Payment = DataOf<'GET /payments'>;
export type Product = DataOf<'GET /products'>;
export type Refund = DataOf<'GET /refunds'>;
export type SalesRow = DataOf<'GET /sales'>;
export type User = DataOf<'GET /users'>;
export type WebhookDelivery = DataOf<'GET /webhook-deliveries/{id}'>;
export type WebhookEndpoint = DataOf<'GET /webhook-endpoints/{id}'>;

export type Money = Product['price'];

/** A page of a list, as far as the page reads it. */
export interface ListPage<Resource> {
  readonly data: readonly Resource[];
  readonly pagination: { readonly next_cursor: string | null };
}
