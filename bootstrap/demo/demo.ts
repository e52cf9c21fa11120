import type { Application } from '#application/application.ts';
import type { Repositories } from '#application/ports/repositories.ts';
import { retryOnceOnConflict } from '#application/ports/unit-of-work.ts';
import type { Caller } from '#application/preconditions.ts';
import { Role, type Role as RoleName } from '#domain/access.ts';
import type { Order, OrderItem } from '#domain/order.ts';
import type { ProductId } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import type { UserId } from '#domain/user.ts';
import { systemCaller } from '../cli/system-caller.ts';
import { catalogue, customers, owner } from './demo-catalogue.ts';

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
  readonly review: { readonly rating: number; readonly title: string | null; readonly body: string | null };
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
  const products = new Map<string, ProductId>();
  for (const [sku, name, amount, stock, description] of catalogue) {
    const details = {
      sku,
      name,
      description,
      price: { amount, currency: 'EUR' },
      stock: stock === null ? null : Quantity.of(stock),
      status: 'active',
    } as const;
    products.set(sku, (await useCases.products.create(systemCaller, details)(repositories)).id);
  }
  const admin = await newUser(useCases, repositories, owner.email, owner.name, 'admin');
  const purchases: Purchase[] = [];
  const keys: string[] = [await newKey(useCases, repositories, admin)];
  for (const { email, name, bought } of customers) {
    const caller = await newUser(useCases, repositories, email, name, 'customer');
    keys.push(await newKey(useCases, repositories, caller));
    for (const [sku, quantity, rating, title, body] of bought) {
      const productId = products.get(sku);
      if (productId === undefined) throw new TypeError(`The demonstration has no ${sku}.`);
      const order = await useCases.orders.place(caller, { productId, quantity: Quantity.of(quantity) })(
        repositories,
      );
      const items = await repositories.orderItems.page({ orderId: order.id }, { limit: 1 });
      for (const item of items.rows) purchases.push({ caller, order, item, review: { rating, title, body } });
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
): Promise<Caller> => {
  const user = await users.create(systemCaller, { email, name, role })(repositories);
  return callerFor(role, user.id);
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
  { caller, order, item, review }: Purchase,
): Promise<void> => {
  const request = { ...caller, key: `demo-${order.id}`, fingerprint: order.id };
  const payment = useCases.payments.pay(caller, { orderId: order.id, paymentMethod: 'tok_ok' });
  await idempotency.process(request, payment, () => '');
  await unitOfWork.run(useCases.reviews.write(caller, { itemId: item.id, ...review }));
};
