import type { Caller } from '#application/preconditions.ts';
import type { Pay } from '#application/use-cases/payments.ts';
import type { CreateRefund } from '#application/use-cases/refunds.ts';
import type { Order, OrderItem } from '#domain/order.ts';
import type { Payment } from '#domain/payment.ts';
import type { Product, ProductDetails } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import type { Refund } from '#domain/refund.ts';
import { aFixture } from './fixture.ts';

/** A shop in which things can be made, ordered, paid and given back in a word each. */
export const aWorld = async (...given: Parameters<typeof aFixture>) => {
  const fixture = await aFixture(...given);
  const {
    useCases,
    run,
    read,
    sendOnce,
    current,
    ada,
    staff,
    newProduct: product,
    placeOrder: order,
  } = fixture;

  const changeProduct = ({ id }: Product, { stock, ...details }: NewProduct): Promise<Product> =>
    run(useCases.products.change, staff, {
      id,
      expectedVersions: undefined,
      changes: {
        ...details,
        ...(stock === undefined ? {} : { stock: stock === null ? null : Quantity.of(stock) }),
      },
    });

  const removeProduct = ({ id }: Product): Promise<void> =>
    run(useCases.products.remove, staff, { id, expectedVersions: undefined });

  /** As a decimal number; null when the stock is not counted. */
  const stockOf = async (counted: Product): Promise<number | null> => {
    const { stock } = await current('products', counted);
    return stock === null ? null : Quantity.toNumber(stock);
  };

  const become = (caller: Caller, { id }: Order, status: Order['status']): Promise<Order> =>
    run(useCases.orders.change, caller, { id, expectedVersions: undefined, status });

  const addItem = (
    caller: Caller,
    { id: orderId }: Order,
    { id: productId }: Product,
    quantity = 1,
  ): Promise<OrderItem> =>
    run(useCases.orderItems.add, caller, { orderId, productId, quantity: Quantity.of(quantity) });

  const itemsOf = async ({ id: orderId }: Order): Promise<readonly OrderItem[]> =>
    (await read(useCases.orderItems.list, staff, { orderId, page: { limit: 1000 } })).rows;

  /** The item that the order began with. */
  const firstItem = async (placed: Order): Promise<OrderItem> => {
    const [item] = await itemsOf(placed);
    if (item === undefined) throw new Error('An order holds an item.');
    return item;
  };

  /** An order of Ada's that she has paid: her payment, and the current order. */
  const purchase = async (bought: Product, quantity = 1) => {
    const placed = await order(ada, bought, quantity);
    const payment = await pay(ada, placed);
    return { payment, order: await current('orders', placed) };
  };

  const pay = (caller: Caller, { id: orderId }: Order, more: Partial<Pay> = {}): Promise<Payment> =>
    sendOnce(useCases.payments.pay, caller, { orderId, paymentMethod: 'tok', ...more });

  const refund = (
    caller: Caller,
    { id: paymentId }: Payment,
    more: Partial<CreateRefund> = {},
  ): Promise<Refund> => sendOnce(useCases.refunds.create, caller, { paymentId, reason: null, ...more });

  return {
    ...fixture,
    ...{ product, changeProduct, removeProduct, stockOf },
    ...{ order, become, addItem, itemsOf, firstItem, pay, refund, purchase },
  };
};

export type World = Awaited<ReturnType<typeof aWorld>>;

/** Details of a product, its stock as a decimal number. */
interface NewProduct extends Partial<Omit<ProductDetails, 'stock'>> {
  readonly stock?: number | null;
}
