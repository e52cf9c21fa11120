import type { IdempotencyKey } from '../../resources.ts';

/** What a request asks for, by its method and path. */
const tasks: Readonly<Record<string, string>> = {
  'POST /payments': 'Pay an order',
  'PATCH /payments/{id}': 'Change or cancel a payment',
  'POST /captures': 'Collect a payment that was authorized',
  'POST /refunds': 'Refund a payment',
  'PATCH /refunds/{id}': 'Change a refund',
  'POST /orders': 'Place an order',
  'PATCH /orders/{id}': 'Change an order',
  'POST /orders/{id}/items': 'Add an item to an order',
  'PATCH /orders/{id}/items/{id}': 'Change an item of an order',
  'DELETE /orders/{id}/items/{id}': 'Remove an item from an order',
  'POST /products': 'Add a product',
  'PUT /products/{id}': 'Replace a product',
  'PATCH /products/{id}': 'Change a product',
  'DELETE /products/{id}': 'Delete a product',
  'POST /stock-changes': 'Change the stock of a product',
  'POST /users': 'Add a customer or a member of staff',
  'PATCH /users/{id}': 'Change a customer or a member of staff',
  'DELETE /users/{id}': 'Delete a customer or a member of staff',
  'POST /erasures': 'Erase the personal data of a customer',
  'POST /reviews': 'Write a review',
  'PATCH /reviews/{id}': 'Change a review',
  'DELETE /reviews/{id}': 'Delete a review',
  'POST /api-keys': 'Create a key',
  'PATCH /api-keys/{id}': 'Change a key',
  'DELETE /api-keys/{id}': 'Revoke a key',
  'POST /webhook-endpoints': 'Add a webhook',
  'PATCH /webhook-endpoints/{id}': 'Change a webhook',
  'DELETE /webhook-endpoints/{id}': 'Delete a webhook',
  'POST /webhook-endpoints/{id}/secrets': 'Make a new secret for a webhook',
  'DELETE /webhook-endpoints/{id}/secrets/{id}': 'Delete the secret of a webhook',
  'POST /webhook-deliveries': 'Send a webhook again, or an example',
};

/** What a request asked for; one that is new to this page is shown as it is. */
export const taskOf = ({ method, path }: Pick<IdempotencyKey, 'method' | 'path'>): string => {
  const pattern = path.replace(/^\/v\d+/, '').replaceAll(/\/(?:[0-9a-f-]{36}|\{\w+\})/gi, '/{id}');
  return tasks[`${method} ${pattern}`] ?? `${method} ${path}`;
};
