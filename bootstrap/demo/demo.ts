import { exampleId } from '#adapters/wire/codecs.ts';
import type { Application } from '#application/application.ts';
import { reserveStock } from '#application/inventory/stock.ts';
import { indexNew } from '#application/jobs/product-index.ts';
import type { Repositories } from '#application/ports/repositories.ts';
import { retryOnceOnConflict } from '#application/ports/unit-of-work.ts';
import type { Caller } from '#application/preconditions.ts';
import type { Pay } from '#application/use-cases/payments.ts';
import { Role, type Role as RoleName } from '#domain/access.ts';
import type { Instant } from '#domain/instant.ts';
import { Order, type OrderId, OrderItem, type OrderItemId } from '#domain/order.ts';
import { OrderDetails } from '#domain/order-details.ts';
import { offline } from '#domain/payment.ts';
import { Product, type ProductId } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import type { ReviewDetails } from '#domain/review.ts';
import { TaxRate } from '#domain/tax.ts';
import { User, type UserId } from '#domain/user.ts';
import { systemCaller } from '../cli/system-caller.ts';
import {
  basket,
  breakage,
  catalogue,
  customers,
  imageUrlOf,
  inCash,
  owner,
  shipping,
  tagsOf,
  taxRateOf,
} from './demo-catalogue.ts';

/** API keys of the demonstration. Only their hashes are stored, so they can be shown once. */
export interface DemoKeys {
  readonly admin: string;
  readonly customer: string;
}

const callerFor = (role: RoleName, userId: UserId): Caller => ({
  ...systemCaller,
  userId,
  role,
  scopes: Role.scopes(role),
});

interface Purchase {
  readonly caller: Caller;
  readonly order: Order;
  readonly item: OrderItem;
  readonly payer: Caller;
  readonly payment: Omit<Pay, 'orderId'>;
  readonly review: ReviewDetails | undefined;
}

/**
 * Fills a store without users with products, customers, orders, payments and reviews, through the use cases that clients call.
 * @param report gets the error of a purchase that failed. The start goes on, because the keys exist and must be shown.
 * @returns undefined when the store has users; it is unchanged then
 */
export const seedDemo = async (
  application: Application,
  report: (error: unknown) => void,
): Promise<DemoKeys | undefined> => {
  const seeded = await retryOnceOnConflict(application.unitOfWork, async (repositories) => {
    const { rows } = await repositories.users.page({}, { limit: 1 });
    return rows.length > 0 ? undefined : createDemoShop(application, repositories);
  });
  if (seeded === undefined) return undefined;
  // The last order stays pending, so that a visitor can try a payment.
  for (const purchase of seeded.purchases.slice(0, -1))
    await payAndReview(application, purchase).catch(report);
  return seeded.keys;
};

const createDemoShop = async ({ useCases }: Application, repositories: Repositories) => {
  // Before everything else: of two processes that begin at once, one stops here because of the address.
  const { caller: admin, at } = await newUser(useCases, repositories, owner.email, owner.name, 'admin');
  const products = new Map<string, ProductId>();
  for (const [sku, name, amount, stock, description] of catalogue) {
    const details = {
      ...Product.defaults,
      sku,
      name,
      description,
      price: { amount, currency: 'EUR' },
      stock: stock === null ? null : Quantity.of(stock),
      quantityStep: Quantity.of(1),
      imageUrls: [imageUrlOf(sku)],
      tags: tagsOf(sku),
      taxRate: rateOf(taxRateOf(sku)),
      status: 'active',
    } as const;
    if (sku === example.sku) {
      const product = Product.create(example.productId, details, at);
      await repositories.products.add(product);
      await indexNew(repositories.productWords, [product]);
      products.set(sku, example.productId);
    } else products.set(sku, (await useCases.products.create(systemCaller, details)(repositories)).id);
  }
  const productOf = (sku: string): ProductId => {
    const productId = products.get(sku);
    if (productId === undefined) throw new TypeError(`The demonstration has no ${sku}.`);
    return productId;
  };
  await useCases.stockChanges.create(admin, {
    productId: productOf(breakage.sku),
    change: Quantity.of(breakage.change),
    reason: breakage.reason,
  })(repositories);
  const purchases: Purchase[] = [];
  const keys: string[] = [await newKey(useCases, repositories, admin)];
  for (const { email, name, address, bought } of customers) {
    const caller =
      email === example.email
        ? await exampleUser(repositories, { email, name, role: 'customer' }, at)
        : (await newUser(useCases, repositories, email, name, 'customer')).caller;
    keys.push(await newKey(useCases, repositories, caller));
    const details = { shippingAddress: { name, ...address } };
    if (email === example.email) await placeExampleOrder(repositories, details, at);
    for (const [sku, quantity, rating, title, body] of bought) {
      const lines = [[sku, quantity] as const, ...(sku === basket.sku ? basket.others : [])];
      const items = lines.map(([each, wanted]) => ({
        productId: productOf(each),
        quantity: Quantity.of(wanted),
      }));
      const placed = await useCases.orders.place(caller, { items, details })(repositories);
      const order = sku === bought[0][0] ? await withShipping(useCases, repositories, placed) : placed;
      const first = await repositories.orderItems.page({ orderId: order.id }, { limit: 1 });
      const paid =
        sku === inCash.sku
          ? { payer: admin, payment: { paymentMethod: offline, reference: inCash.reference } }
          : { payer: caller, payment: { paymentMethod: 'tok_ok' } };
      for (const item of first.rows)
        purchases.push({
          ...{ caller, order, item, ...paid },
          review: rating === null ? undefined : { rating, title, body },
        });
    }
  }
  const [adminKey = '', customerKey = ''] = keys;
  return { keys: { admin: adminKey, customer: customerKey }, purchases };
};

const newUser = async (
  { users }: Application['useCases'],
  repositories: Repositories,
  email: string,
  name: string,
  role: RoleName,
): Promise<{ readonly caller: Caller; readonly at: Instant }> => {
  const { id, createdAt: at } = await users.create(systemCaller, { email, name, role })(repositories);
  return { caller: callerFor(role, id), at };
};

/** The examples of the OpenAPI document name these resources, so that they can be sent as they are. */
const example = {
  sku: catalogue[0][0],
  productId: exampleId('product') as ProductId,
  email: customers[0].email,
  userId: exampleId('user') as UserId,
  orderId: exampleId('order') as OrderId,
  itemId: exampleId('order-item') as OrderItemId,
};

/** It stays pending, so that a visitor can change and pay it. */
const placeExampleOrder = async (
  { products, orders, orderItems }: Repositories,
  details: OrderDetails,
  at: Instant,
): Promise<void> => {
  const { productId, userId, orderId, itemId } = example;
  const product = await products.find(productId);
  if (product === undefined) throw new TypeError(`The demonstration has no ${example.sku}.`);
  const quantity = Quantity.of(2);
  const reserved = await reserveStock(products, product, quantity, at);
  const item = OrderItem.of(itemId, orderId, reserved, quantity, at);
  const placed = Order.place(orderId, userId, [item], at);
  await orders.add({ ...placed, ...OrderDetails.merge(placed, details) });
  await orderItems.add(item);
};

/** As staff set it, with an entry for an accounting system. */
const withShipping = (
  { orders }: Application['useCases'],
  repositories: Repositories,
  { id }: Order,
): Promise<Order> =>
  orders.change(systemCaller, {
    id,
    expectedVersions: undefined,
    details: {
      shipping: { amount: shipping.amount },
      shippingTaxRate: rateOf(shipping.taxRate),
      metadata: { carrier: 'Post' },
    },
  })(repositories);

const rateOf = (percent: number | null): TaxRate | null => (percent === null ? null : TaxRate.of(percent));

const exampleUser = async (
  { users }: Repositories,
  details: Parameters<typeof User.create>[1],
  at: Instant,
): Promise<Caller> => {
  await users.add(User.create(example.userId, details, at));
  return callerFor(details.role, example.userId);
};

const newKey = async (
  { apiKeys }: Application['useCases'],
  repositories: Repositories,
  caller: Caller,
): Promise<string> => {
  const { token } = await apiKeys.issue(caller, { name: 'Demonstration', expiresAt: null })(repositories);
  return token;
};

const payAndReview = async (
  { useCases, unitOfWork, idempotency }: Application,
  { caller, order, item, payer, payment, review }: Purchase,
): Promise<void> => {
  const request = { ...payer, key: `demo-${order.id}`, fingerprint: order.id };
  const paying = useCases.payments.pay(payer, { orderId: order.id, ...payment });
  await idempotency.process(request, paying, () => '');
  if (review !== undefined)
    await unitOfWork.run(useCases.reviews.write(caller, { itemId: item.id, ...review }));
};
