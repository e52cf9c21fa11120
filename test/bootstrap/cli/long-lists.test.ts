import { expect } from 'chai';
import { Order, type OrderId, OrderItem } from '#domain/order.ts';
import { Quantity } from '#domain/quantity.ts';
import { aProduct, aUser, noon } from '../../contracts/samples.ts';
import { newId } from '../../support/machine.ts';
import { inStoreAt } from '../../support/store-at.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { runHere } from '../support/portico.ts';

describe('A list of more than one page', () => {
  const folder = temporaryFolder();
  const settings = () => ({ DATABASE_URL: `sqlite:${folder('shop.db')}` });

  before(async () => {
    const [user, product] = [aUser(), aProduct()];
    const placed = Array.from({ length: 510 }, () => {
      const id = newId<OrderId>();
      const item = OrderItem.of(newId(), id, product, Quantity.of(1), noon);
      return { item, order: Order.place(id, user.id, [item], noon) };
    });
    await inStoreAt(settings().DATABASE_URL, ({ unitOfWork }) =>
      unitOfWork.run(async ({ users, products, orders, orderItems }) => {
        await users.add(user);
        await products.add(product);
        await orders.addAll(placed.map(({ order }) => order));
        await orderItems.addAll(placed.map(({ item }) => item));
      }),
    );
  });

  it('is as long as --limit says', async () => {
    for (const [limit, length] of [
      ['499', 499],
      ['501', 501],
      ['10000', 510],
    ] as const) {
      const { output, errors } = await runHere(['orders', 'list', '--json', '--limit', limit], settings());
      const ids: string[] = JSON.parse(output).map(({ id }: { readonly id: string }) => id);
      expect([ids.length, new Set(ids).size]).to.deep.equal([length, length]);
      expect(errors === '').to.equal(length === 510);
    }
    const { output, errors } = await runHere(['orders', 'list'], settings());
    expect(output.match(/\n/g)).to.have.lengthOf(101);
    expect(errors).to.match(/^There are more\. To continue, add --after \S{36}\.\n$/);
  });
});
