import { MemoryUnitOfWork } from '#adapters/persistence/memory/unit-of-work.ts';
import type { NewId } from '#application/ports/system.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { Caller } from '#application/preconditions.ts';
import { Role } from '#domain/access.ts';
import { Instant } from '#domain/instant.ts';
import { Order, OrderItem } from '#domain/order.ts';
import { Product, type ProductId } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import type { Id } from '#domain/resource.ts';
import { User } from '#domain/user.ts';

/** What there is when a simulation begins. */
export interface Shop {
  readonly store: UnitOfWork;
  readonly newId: NewId;
  readonly ada: Caller;
  readonly staff: Caller;
  /** There are few of it. */
  readonly product: ProductId;
  readonly stock: number;
  readonly orders: readonly Order[];
}

const euros = (amount: number) => ({ amount, currency: 'EUR' });

/** @param prices of the orders there are, of one unit each */
export const openShop = async (at: number, prices: readonly number[], left: number): Promise<Shop> => {
  const now = Instant.at(at);
  const newId = countingIds();
  const store = new MemoryUnitOfWork();
  const person = (role: Role) => {
    const user = User.create(newId(), { email: `${role}@example.com`, name: 'A user', role }, now);
    const caller: Caller = { userId: user.id, role, scopes: Role.scopes(role), keyId: newId() };
    return { user, caller };
  };
  const [ada, staff] = [person('customer'), person('staff')];
  const product = Product.create(
    newId(),
    { ...Product.defaults, name: 'Tea', price: euros(1000), stock: Quantity.of(left) },
    now,
  );
  const orders = await store.run(async (to) => {
    await to.users.add(ada.user);
    await to.users.add(staff.user);
    await to.products.add(product);
    const placed: Order[] = [];
    for (const amount of prices) {
      const id = newId<Order['id']>();
      const ordered = { ...product, price: euros(amount) };
      const item = OrderItem.of(newId(), id, ordered, Quantity.of(1), now);
      const order = Order.place(id, ada.caller.userId, [item], now);
      await to.orders.add(order);
      await to.orderItems.add(item);
      placed.push(order);
    }
    return placed;
  });
  const stock = left + prices.length;
  return { store, newId, ada: ada.caller, staff: staff.caller, product: product.id, stock, orders };
};

/** Ids that look like any other, and ascend by one. */
const countingIds = (): NewId => {
  let count = 0;
  return <I extends Id>(): I => {
    count += 1;
    return `01900000-0000-7000-8000-${count.toString(16).padStart(12, '0')}` as I;
  };
};
