import type { UseCases } from '#application/application.ts';
import { UnavailableError } from '#application/errors.ts';
import type { UnitOfWork, Work } from '#application/ports/unit-of-work.ts';
import type { Caller } from '#application/preconditions.ts';
import { upsertProducts } from '#application/use-cases/product-import.ts';
import { DomainError } from '#domain/errors.ts';
import type { Order } from '#domain/order.ts';
import type { Product } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { machineClock, newId } from '#test/support/machine.ts';
import type { Random } from '#test/support/random.ts';

/** What a process has done. */
export interface Shopping {
  readonly placed: number;
  readonly outOfStock: number;
  /** Units of work, and how often their work was run: a deadlock would have one of them run again. */
  readonly units: number;
  readonly runs: number;
  /** Errors that no rule of the shop explains. */
  readonly errors: readonly string[];
}

interface Options {
  readonly unitOfWork: UnitOfWork;
  readonly useCases: UseCases;
  readonly caller: Caller;
  /** All are counted. */
  readonly products: readonly Product[];
  readonly random: Random;
}

const expectedVersions = undefined;

/** Buyers who order up to twenty items crosswise, change and cancel their orders, beside changes of stock and imports. */
export const goShopping = async (buyers: number, options: Options): Promise<Shopping> => {
  const { unitOfWork, useCases, caller, products, random } = options;
  let [placed, outOfStock, units, runs] = [0, 0, 0, 0];
  const errors: string[] = [];

  /** Rejections by the rules of the shop are expected. */
  const run = async <T>(work: Work<T>): Promise<T | undefined> => {
    units += 1;
    try {
      return await unitOfWork.run((repositories) => {
        runs += 1;
        return work(repositories);
      });
    } catch (error) {
      // A slow machine had no connection in time, and nothing was done: a client would ask again. A deadlock is a conflict.
      if (error instanceof UnavailableError && error.reason === 'database-unavailable') return run(work);
      const kind = error instanceof DomainError ? error.kind : undefined;
      if (kind === 'out-of-stock') outOfStock += 1;
      else if (kind !== 'invalid-state') errors.push(`${error instanceof Error ? error.stack : error}`);
      return undefined;
    }
  };

  const line = () => ({
    productId: random.pick(products).id,
    quantity: Quantity.of(random.between(1, 3_000) / 1_000),
  });

  const changeItems = async ({ id: orderId }: Order): Promise<void> => {
    await run(useCases.orderItems.add(caller, { orderId, ...line() }));
    const items = await unitOfWork.read(({ orderItems }) => orderItems.findBy('orderId', [orderId]));
    const { id } = random.pick(items);
    const { quantity } = line();
    await run(useCases.orderItems.change(caller, { orderId, id, expectedVersions, quantity }));
    await run(useCases.orderItems.remove(caller, { orderId, id, expectedVersions }));
  };

  const deeds = {
    cancel: ({ id }: Order) =>
      run(useCases.orders.change(caller, { id, expectedVersions, status: 'canceled' })),
    changeItems,
    changeStock: () => {
      const change = Quantity.of(random.between(1, 2_000) / 1_000);
      return run(
        useCases.stockChanges.create(caller, { productId: random.pick(products).id, change, reason: null }),
      );
    },
    import: () => {
      const list = [...products].sort(() => random.next() - 0.5).slice(0, 5);
      const imported = list.map(({ sku, price }) => ({
        sku: sku ?? '',
        price,
        name: newId<never>() as string,
      }));
      return run(upsertProducts({ clock: machineClock, newId }, imported));
    },
  };

  const buy = async (): Promise<void> => {
    const items = Array.from({ length: random.between(1, 20) }, line);
    const order = await run(useCases.orders.place(caller, { items }));
    if (order === undefined) return;
    placed += 1;
    await deeds[random.weighted({ cancel: 2, changeItems: 2, changeStock: 1, import: 1 })](order);
  };

  await Promise.all(Array.from({ length: buyers }, buy));
  return { placed, outOfStock, units, runs, errors };
};
