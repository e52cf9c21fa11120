import { orderView } from '#adapters/http/v1/orders.ts';
import { externalId } from '#domain/external-id.ts';
import { type OrderId, orderStatuses } from '#domain/order.ts';
import { OrderNumber } from '#domain/order-number.ts';
import { oneOf } from '../../config/env-parser.ts';
import { command, flag, nonEmpty, value } from '../framework/command.ts';
import { renderTable } from '../framework/table.ts';
import { moneyText } from '../money-text.ts';
import { withExistingApplication } from '../open-application.ts';
import { notifyMore, pageOptions, paidOptions, periodOptions, readPages } from '../paging.ts';
import { emailsOf, findUser, systemCaller, userReference } from '../system-caller.ts';

export const ordersList = command({
  name: 'orders list',
  description: 'List orders, the oldest first, or the newest with --newest.',
  isReadOnly: true,
  options: {
    user: value('EMAIL|ID', { description: 'Only the orders of this user.', ...userReference }),
    status: value('STATUS', {
      description: `Only orders with this status: ${orderStatuses.join(', ')}.`,
      expects: `one of ${orderStatuses.join(', ')}`,
      parse: oneOf(orderStatuses),
    }),
    number: value('NUMBER', {
      description: 'Only the order with this number, which may be in lower case and without hyphens.',
      expects: 'an order number, such as 7K3M-9QXA-2DFE',
      parse: OrderNumber.parse,
    }),
    externalId: value('ID', {
      description: 'Only the order with this id in another system.',
      rule: externalId,
      parse: nonEmpty,
    }),
    ...periodOptions,
    ...paidOptions,
    ...pageOptions<OrderId>(),
    json: flag('Print the orders as a JSON array.'),
  },
  run: ({ user, status, number, externalId, json, ...paging }, terminal) =>
    withExistingApplication(async ({ application }) => {
      const { useCases, unitOfWork } = application;
      const userId = user === undefined ? undefined : (await findUser(user, application)).id;
      const filter = {
        ...(userId && { userId }),
        ...(status && { status }),
        ...(number && { number }),
        ...(externalId && { externalId }),
      };
      const orders = await readPages(paging, (page) =>
        unitOfWork.read(useCases.orders.list(systemCaller, { filter, page })),
      );
      if (json) await terminal.print(`${JSON.stringify(orders.rows.map(orderView.encode))}\n`);
      else if (orders.rows.length === 0) await terminal.notify('No orders found.');
      else {
        const emails = await emailsOf(application, orders.rows);
        const rows = orders.rows.map((order) => [
          order.id,
          order.number,
          emails.get(order.userId) ?? order.userId,
          order.status,
          moneyText(order.total),
          `${order.itemCount}`,
          order.createdAt,
        ]);
        const header = ['ID', 'NUMBER', 'USER', 'STATUS', 'TOTAL', 'ITEMS', 'CREATED'];
        await terminal.print(renderTable([header, ...rows], terminal.columns));
      }
      await notifyMore(orders, terminal);
    }),
});
