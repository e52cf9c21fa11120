import { orderView } from '#adapters/http/v1/orders.ts';
import { type OrderId, orderStatuses } from '#domain/order.ts';
import { oneOf } from '../../config/env-parser.ts';
import { command, flag, value } from '../framework/command.ts';
import { renderTable } from '../framework/table.ts';
import { moneyText } from '../money-text.ts';
import { withExistingApplication } from '../open-application.ts';
import { notifyMore, pageOptions, readPages } from '../paging.ts';
import { emailsOf, findUser, systemCaller, userReference } from '../system-caller.ts';

export const ordersList = command({
  name: 'orders list',
  description: 'List orders, the oldest first.',
  isReadOnly: true,
  options: {
    user: value('EMAIL|ID', { description: 'Only the orders of this user.', ...userReference }),
    status: value('STATUS', {
      description: `Only orders with this status: ${orderStatuses.join(', ')}.`,
      expects: `one of ${orderStatuses.join(', ')}`,
      parse: oneOf(orderStatuses),
    }),
    ...pageOptions<OrderId>(),
    json: flag('Print the orders as a JSON array.'),
  },
  run: ({ user, status, json, ...paging }, terminal) =>
    withExistingApplication(async ({ application }) => {
      const { useCases, unitOfWork } = application;
      const userId = user === undefined ? undefined : (await findUser(user, application)).id;
      const filter = { ...(userId && { userId }), ...(status && { status }) };
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
