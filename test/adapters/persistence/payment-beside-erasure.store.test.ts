import { expect } from 'chai';
import { createApplication } from '#application/application.ts';
import type { Caller } from '#application/preconditions.ts';
import { Role } from '#domain/access.ts';
import { scriptedProvider } from '#test/application/provider.ts';
import { aPurchase, aUser } from '#test/contracts/samples.ts';
import { lockWaitsIn } from '#test/support/lock-waits.ts';
import { machineClock, newId } from '#test/support/machine.ts';
import { storeAt } from '#test/support/store-at.ts';
import { allKinds, createMigrated, productOf } from '#test/support/test-databases.ts';
import { until } from '#test/support/until.ts';

const callerOf = ({ id: userId, role }: ReturnType<typeof aUser>): Caller => ({
  ...{ userId, role, scopes: Role.scopes(role), keyId: newId() },
});

for (const kind of allKinds) {
  describe(`A payment and an erasure of its user that begin together on ${productOf(kind)}`, () => {
    for (const [orderCount, paymentMethod] of [
      [1, 'card'],
      [250, 'card'],
      [1, 'offline'],
    ] as const)
      it(`are rejected, one or the other, when the payment is for the last of many pending orders (${orderCount}, ${paymentMethod})`, async () => {
        const database = await createMigrated(kind);
        const { unitOfWork, close } = await storeAt(database.url);
        const { useCases } = createApplication(
          {
            ...{ unitOfWork, clock: machineClock, newId, provider: scriptedProvider().port },
            mintToken: () => ({ token: '', secretHash: '' }),
          },
          { lease: 1_000, reconcileAfter: 60_000, orderLifetime: 0 },
        );
        const { user, product, order, item } = aPurchase();
        const admin = aUser({ role: 'admin' });
        const pending = Array.from({ length: orderCount }, () => ({
          ...{ ...order, id: newId<typeof order.id>(), version: 1, status: 'pending' as const },
        }));
        const [customer, operator] = [user, admin].map(callerOf) as [Caller, Caller];
        // A payment offline makes the order paid at once, by staff.
        const payer = paymentMethod === 'card' ? customer : { ...operator, userId: newId<typeof user.id>() };
        await unitOfWork.run(async ({ users, products, orders, orderItems }) => {
          await users.addAll([user, admin]);
          await products.add(product);
          await orders.addAll(pending);
          await orderItems.addAll(pending.map(({ id: orderId }) => ({ ...item, id: newId(), orderId })));
        });
        const paid = { orderId: pending.at(-1)?.id ?? newId(), paymentMethod };

        let erasing: Promise<unknown> | undefined;
        let hasErased = false;
        const paying = unitOfWork.run(async (repositories) => {
          await useCases.payments.pay(payer, paid).claim(repositories);
          // The payment is not committed yet. On a store that runs one unit after the other, the erasure waits for its end.
          erasing ??= unitOfWork
            .run(useCases.erasures.begin(operator, user.id))
            .catch((error) => error)
            .finally(() => {
              hasErased = true;
            });
          await until(
            async () => hasErased || (await lockWaitsIn(kind, database.url)) > 0,
            (goesOn) => goesOn,
          );
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
