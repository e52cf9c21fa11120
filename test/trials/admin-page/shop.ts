import { randomUUID } from 'node:crypto';
import { indexNew } from '#application/jobs/product-index.ts';
import { openStore } from '#bootstrap/composition/ports/open-store.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { Instant } from '#domain/instant.ts';
import { Order, OrderItem, type OrderStatus } from '#domain/order.ts';
import { Payment } from '#domain/payment.ts';
import { Product } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import type { Id } from '#domain/resource.ts';
import { User } from '#domain/user.ts';

const batchSize = 500;

/** Since when the shop has orders, in milliseconds: a year. */
const spanMs = 365 * 86_400_000;

/**
 * Fills an empty store with orders of the last year, each of a tenth of a customer, and with as many products, of which the last few
 * are low in stock. The last tens of orders wait to be packed; the others are fulfilled or were canceled.
 */
export const fillShop = async (url: string, count: number): Promise<void> => {
  const { unitOfWork, close } = await openStore(readConfig({ DATABASE_URL: url }).database);
  const now = Date.now();
  for (let first = 0; first < count; first += batchSize) {
    const numbers = Array.from({ length: Math.min(batchSize, count - first) }, (_, index) => first + index);
    const products = numbers.map((n) => productOf(n, count, now));
    const users = numbers.filter((n) => n % 10 === 0).map((n) => userOf(n, now));
    const purchases = numbers.map((n, index) => {
      const user = users[Math.floor(index / 10)];
      const product = products[index];
      if (user === undefined || product === undefined)
        throw new Error('Each order has a user and a product.');
      return purchaseOf(user, product, now - spanMs + (n / count) * spanMs, statusOf(n, count));
    });
    await unitOfWork.run(async (repositories) => {
      await repositories.products.addAll(products);
      await indexNew(repositories.productWords, products);
      await repositories.users.addAll(users);
      await repositories.orders.addAll(purchases.map(({ order }) => order));
      await repositories.orderItems.addAll(purchases.map(({ item }) => item));
      await repositories.payments.addAll(purchases.flatMap(({ payment }) => payment ?? []));
    });
  }
  await close();
};

const statusOf = (n: number, count: number): OrderStatus => {
  if (count - n <= 5) return 'paid';
  return n % 10 === 3 ? 'canceled' : 'fulfilled';
};

const productOf = (n: number, count: number, at: number): Product =>
  Product.create(
    idAt(at - spanMs),
    {
      ...Product.defaults,
      name: `Product ${n}`,
      sku: `SKU-${n}`,
      stock: Quantity.of(count - n <= 5 ? 2 : 100),
      price: { amount: 1_000, currency: 'EUR' },
    },
    Instant.at(at - spanMs),
  );

const userOf = (n: number, at: number): User =>
  User.create(
    idAt(at - spanMs),
    { email: `customer-${n}@example.com`, name: `Customer ${n}`, role: 'customer' },
    Instant.at(at - spanMs),
  );

const purchaseOf = (user: User, product: Product, ms: number, status: OrderStatus) => {
  const at = Instant.at(Math.floor(ms));
  const id = idAt<'order'>(ms);
  const item = OrderItem.of(idAt(ms), id, product, Quantity.of(1), at);
  const placed = Order.place(id, user.id, [item], at);
  if (status === 'canceled') return { item, order: Order.transitionTo(placed, 'canceled', at) };
  const paying = Order.beginPayment(placed, at);
  const payment = Payment.succeed(Payment.begin(idAt(ms), paying, 'sandbox', at), `ch_${id}`, at);
  const paid = Order.completePayment(paying, at);
  return { item, payment, order: status === 'paid' ? paid : Order.transitionTo(paid, 'fulfilled', at) };
};

/** An id as it would have been made then: lists are in the order of ids. */
const idAt = <Kind extends string>(ms: number): Id<Kind> => {
  const time = Math.floor(ms).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}` as Id<Kind>;
};
