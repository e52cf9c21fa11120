import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { createApplication } from '#application/application.ts';
import type { Caller } from '#application/preconditions.ts';
import { openStore } from '#bootstrap/composition/ports/open-store.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { Role } from '#domain/access.ts';
import type { Order } from '#domain/order.ts';
import { scriptedProvider } from '#test/application/provider.ts';
import { aProduct, aUser } from '#test/contracts/samples.ts';
import { machineClock, newId } from '#test/support/machine.ts';
import { allKinds, createDatabase, productOf } from '#test/support/test-databases.ts';

const callerOf = ({ id: userId, role }: ReturnType<typeof aUser>): Caller => ({
  ...{ userId, role, scopes: Role.scopes(role), keyId: newId() },
});

for (const kind of allKinds) {
  describe(`A payment and an erasure of its user that begin together on ${productOf(kind)}`, () => {
    for (const orderCount of [1, 250])
      it(`are rejected, one or the other, when the payment is for the last of ${orderCount} pending orders`, async function () {
        this.timeout(30_000);
        const database = await createDatabase(kind);
        const { unitOfWork, close } = await openStore(readConfig({ DATABASE_URL: database.url }).database);
        const { useCases } = createApplication(
          {
            ...{ unitOfWork, clock: machineClock, newId, provider: scriptedProvider().port },
            mintToken: () => ({ token: '', secretHash: '' }),
          },
          { lease: 1_000, reconcileAfter: 60_000, orderLifetime: 0 },
        );
        const [user, admin, product] = [aUser(), aUser({ role: 'admin' }), aProduct()];
        const [customer, operator] = [user, admin].map(callerOf) as [Caller, Caller];
        await unitOfWork.run(async ({ users, products }) => {
          await users.add(user);
          await users.add(admin);
          await products.add(product);
        });
        let last: Order | undefined;
        const ordered = { productId: product.id, quantity: 1_000 as never };
        for (let count = 0; count < orderCount; count += 1)
          last = await unitOfWork.run(useCases.orders.place(customer, ordered));
        const paid = { orderId: last?.id ?? newId(), paymentMethod: 'card' };

        let erasing: Promise<unknown> | undefined;
        const paying = unitOfWork.run(async (repositories) => {
          await useCases.payments.pay(customer, paid).claim(repositories);
          // The payment is not committed yet. On a store that runs one unit after the other, the erasure waits for its end.
          erasing ??= unitOfWork.run(useCases.erasures.begin(operator, user.id)).catch((error) => error);
          await Promise.race([erasing, pause(500)]);
        });
        const outcomes = [await paying.catch((error) => error), await erasing];
        const errors = outcomes.filter((outcome) => outcome instanceof Error);
        expect(errors).to.have.lengthOf(1);
        expect(errors[0]).to.include({ kind: 'invalid-state' });
        const [isErased, hasPayment] = await unitOfWork.read(async ({ users, payments }) => [
          (await users.find(user.id))?.status === 'erased',
          (await payments.page({ userId: user.id }, { limit: 1 })).rows.length > 0,
        ]);
        expect(hasPayment).to.equal(!isErased);
        await close();
        await database.remove();
      });
  });
}
