import { expect } from 'chai';
import type { Caller } from '#application/preconditions.ts';
import { orderUseCases } from '#application/use-cases/orders.ts';
import { Role } from '#domain/access.ts';
import { DomainError } from '#domain/errors.ts';
import { Quantity } from '#domain/quantity.ts';
import { newId } from '../support/machine.ts';
import { atOnce, mocha, type Suite, storeFor } from './harness.ts';
import { aProduct, aUser, noon } from './samples.ts';

/** What the promises are there for. */
export const describeBuyers: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: fifty concurrent buyers`, () => {
    const { it } = runner;
    const store = storeFor(open, runner);
    const orders = orderUseCases({ clock: { now: () => noon }, newId });

    const fifty = async (left: Quantity | null) => {
      const product = aProduct({ stock: left });
      const buyers = Array.from({ length: 50 }, () => aUser());
      await store.unitOfWork.run(async (repositories) => {
        await repositories.products.add(product);
        for (const buyer of buyers) await repositories.users.add(buyer);
      });
      const results = await Promise.allSettled(
        atOnce(50, async (index) => {
          const { id: userId, role } = buyers[index] ?? aUser();
          const caller: Caller = { userId, role, scopes: Role.scopes(role), keyId: newId() };
          return store.unitOfWork.run(
            orders.place(caller, { productId: product.id, quantity: Quantity.of(1) }),
          );
        }),
      );
      const placed = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      const rejected = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
      const kept = await store.unitOfWork.read(async (repositories) => {
        const found = await Promise.all(
          buyers.map(({ id: userId }) => repositories.orders.page({ userId }, { limit: 10 })),
        );
        return found.flatMap(({ rows }) => rows);
      });
      const after = await store.unitOfWork.read((repositories) => repositories.products.find(product.id));
      return { placed, refused: rejected, kept, stock: after?.stock };
    };

    it('of the last unit: one gets it, and to the others it is out of stock', async () => {
      const { placed, refused: rejected, kept, stock } = await fifty(Quantity.of(1));
      expect(placed).to.have.lengthOf(1);
      expect(kept).to.deep.equal(placed);
      expect(stock).to.equal(Quantity.zero);
      expect(rejected).to.have.lengthOf(49);
      for (const rejection of rejected) {
        expect(rejection).to.be.instanceOf(DomainError).with.property('kind', 'out-of-stock');
      }
    });

    it('of a product without counted stock: all of them get it', async () => {
      const { placed, kept, stock } = await fifty(null);
      expect(placed).to.have.lengthOf(50);
      expect(kept).to.have.deep.members(placed);
      expect(stock).to.equal(null);
    });
  });
