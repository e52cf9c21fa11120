import { openMemory } from 'portico/adapters/memory';
import {
  type Authenticator,
  command,
  createApplication,
  linesOf,
  UnavailableError,
  type UnitOfWork,
} from 'portico/application';
import { portico } from 'portico/client';
import { DomainError, type Order, Quantity } from 'portico/domain';
import { testShop } from 'portico/testing';

declare const console: { log(...words: readonly unknown[]): void };

/** No order has more than two of a product. */
const shop = await testShop({
  decorate: (useCases) => ({
    ...useCases,
    orders: {
      ...useCases.orders,
      place: command(
        'orders:write',
        [...useCases.orders.place.errorKinds, 'invalid-state'],
        (caller, input) => {
          if (linesOf(input).some(({ quantity }) => quantity > Quantity.of(2)))
            throw new DomainError('invalid-state', 'At most two.');
          return useCases.orders.place(caller, input);
        },
      ),
    },
  }),
});
const tea = await shop.newProduct({ stock: 5 });
const order: Order = await shop.placeOrder(shop.customer, tea, 2);
const payment = await shop.pay(shop.customer, order);
const rejected = await shop.placeOrder(shop.customer, tea, 3).catch((error: unknown) => error);
const late: Order = await shop.placeOrder(shop.customer, tea);
shop.advance(25 * 3_600_000);
await shop.backgroundJobs.expireOrders();
const expired = await shop.unitOfWork.read(({ orders }) => orders.find(late.id));
const { unitOfWork }: { readonly unitOfWork: UnitOfWork } = await openMemory();
const authenticator: Authenticator = { authenticate: () => Promise.resolve(undefined) };

console.log(
  ...[order.id, payment.status, rejected instanceof DomainError && rejected.message, expired?.status],
  ...[typeof unitOfWork.run, await authenticator.authenticate(''), typeof portico],
  ...[typeof createApplication, new UnavailableError('draining').kind, shop.now()],
);
