import {
  emptyTables,
  type MemoryTables,
  MemoryUnitOfWork,
} from '#adapters/persistence/memory/unit-of-work.ts';
import type { NewId } from '#application/ports/system.ts';
import type { StoreUnitOfWork } from '#application/ports/unit-of-work.ts';
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
  readonly store: StoreUnitOfWork;
  /** All that the store holds. */
  readonly tables: MemoryTables;
  readonly newId: NewId;
  readonly ada: Caller;
  readonly staff: Caller;
  readonly admin: Caller;
  /** There are few of them. The first is in all orders that there are. */
  readonly products: readonly Stocked[];
  readonly orders: readonly Order[];
}

/** A product, and how much of it there was, with what the first orders hold. */
interface Stocked {
  readonly id: ProductId;
  readonly stock: number;
}

/** A text of Ada's, which an erasure must empty. */
export const personal = 'Ring at Ada';

const euros = (amount: number) => ({ amount, currency: 'EUR' });

/**
 * @param prices of the orders there are, of one unit each
 * @param stock of the two products besides
 */
export const openShop = async (
  at: number,
  prices: readonly number[],
  [left, rest]: readonly [number, number],
): Promise<Shop> => {
  const now = Instant.at(at);
  const newId = countingIds();
  const tables = emptyTables();
  const store = new MemoryUnitOfWork(tables, '0'.repeat(32));
  const person = (role: Role) => {
    const user = User.create(newId(), { email: `${role}@example.com`, name: 'A user', role }, now);
    const caller: Caller = { userId: user.id, role, scopes: Role.scopes(role), keyId: newId() };
    return { user, caller };
  };
  const [ada, staff, admin] = [person('customer'), person('staff'), person('admin')];
  const details = { ...Product.defaults, name: 'Tea', price: euros(1000) };
  const product = Product.create(newId(), { ...details, stock: Quantity.of(left) }, now);
  const another = Product.create(newId(), { ...details, stock: Quantity.of(rest) }, now);
  const orders = await store.run(async (to) => {
    await to.users.addAll([ada.user, staff.user, admin.user]);
    await to.products.addAll([product, another]);
    const placed: Order[] = [];
    for (const amount of prices) {
      const id = newId<Order['id']>();
      const ordered = { ...product, price: euros(amount) };
      const item = OrderItem.of(newId(), id, ordered, Quantity.of(1), now);
      const order = { ...Order.place(id, ada.caller.userId, [item], now), note: personal };
      await to.orders.add(order);
      await to.orderItems.add(item);
      placed.push(order);
    }
    return placed;
  });
  const products = [
    { id: product.id, stock: left + prices.length },
    { id: another.id, stock: rest },
  ];
  const callers = { ada: ada.caller, staff: staff.caller, admin: admin.caller };
  return { store, tables, newId, ...callers, products, orders };
};

/** Ids that look like any other, and ascend by one. */
const countingIds = (): NewId => {
  let count = 0;
  return <I extends Id>(): I => {
    count += 1;
    return `01900000-0000-7000-8000-${count.toString(16).padStart(12, '0')}` as I;
  };
};
