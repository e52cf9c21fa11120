import { lazyView } from './components/lazy-view.ts';
import type { Context, View } from './view.ts';
import { customerView } from './views/customers/customer.ts';
import { customersView } from './views/customers/list.ts';
import { idempotencyKeyView } from './views/idempotency-keys/idempotency-key.ts';
import { idempotencyKeysView } from './views/idempotency-keys/list.ts';
import { keyView } from './views/keys/key.ts';
import { keysView } from './views/keys/list.ts';
import { newKeyView } from './views/keys/new.ts';
import { orderView } from './views/order/view.ts';
import { ordersView } from './views/orders.ts';
import { productsView } from './views/products/list.ts';
import { newProductView } from './views/products/new.ts';
import { productView } from './views/products/product.ts';
import { todayView } from './views/today.ts';
import { deliveryView } from './views/webhooks/delivery.ts';
import { editWebhookView, newWebhookView } from './views/webhooks/edit.ts';
import { webhookView } from './views/webhooks/endpoint.ts';
import { webhooksView } from './views/webhooks/list.ts';

type Open = (context: Context) => View;

/** The views by the pattern of their address. */
export const routes: readonly (readonly [pattern: string, view: Open])[] = [
  ['/', todayView],
  ['/orders', ordersView],
  ['/orders/:id', orderView],
  ['/products', productsView],
  ['/products/new', newProductView],
  [
    '/products/import',
    lazyView('Import products', async () => (await import('./views/import/view.ts')).importView),
  ],
  ['/products/:id', productView],
  ['/customers', customersView],
  ['/customers/:id', customerView],
  ['/webhooks', webhooksView],
  ['/webhooks/new', newWebhookView],
  ['/webhooks/:id', webhookView],
  ['/webhooks/:id/change', editWebhookView],
  ['/webhooks/deliveries/:id', deliveryView],
  ['/requests', idempotencyKeysView],
  ['/requests/:id', idempotencyKeyView],
  ['/keys', keysView],
  ['/keys/new', newKeyView],
  ['/keys/:id', keyView],
];

export interface LinkGroup {
  readonly title: string;
  readonly links: readonly (readonly [path: string, text: string])[];
}

/** The views of the navigation in groups: those for whom the shop is, and those for programs that use it. */
export const navigation: readonly LinkGroup[] = [
  {
    title: 'Shop',
    links: [
      ['/', 'Today'],
      ['/orders', 'Orders'],
      ['/products', 'Products'],
      ['/customers', 'Customers'],
    ],
  },
  {
    title: 'For developers',
    links: [
      ['/keys', 'Keys'],
      ['/webhooks', 'Webhooks'],
      ['/requests', 'Requests'],
    ],
  },
];
