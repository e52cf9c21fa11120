import { customerView } from './views/customers/customer.js';
import { customersView } from './views/customers/list.js';
import { idempotencyKeyView } from './views/idempotency-keys/idempotency-key.js';
import { idempotencyKeysView } from './views/idempotency-keys/list.js';
import { importView } from './views/import/view.js';
import { keyView } from './views/keys/key.js';
import { keysView } from './views/keys/list.js';
import { newKeyView } from './views/keys/new.js';
import { orderView } from './views/order/view.js';
import { ordersView } from './views/orders.js';
import { productsView } from './views/products/list.js';
import { newProductView } from './views/products/new.js';
import { productView } from './views/products/product.js';
import { todayView } from './views/today.js';
import { deliveryView } from './views/webhooks/delivery.js';
import { editWebhookView, newWebhookView } from './views/webhooks/edit.js';
import { webhookView } from './views/webhooks/endpoint.js';
import { webhooksView } from './views/webhooks/list.js';

/** The views by the pattern of their address. */
export const routes = [
  ['/', todayView],
  ['/orders', ordersView],
  ['/orders/:id', orderView],
  ['/products', productsView],
  ['/products/new', newProductView],
  ['/products/import', importView],
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

/** The views of the navigation in groups: those for whom the shop is, and those for programs that use it. */
export const navigation = [
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
