import { expect } from 'chai';
import type { Store } from '#adapters/persistence/store.ts';
import { secretBox } from '#adapters/secrets/secret-box.ts';
import { randomSecret, temporaryKeys } from '#adapters/secrets/secret-keys.ts';
import { apiKeyUseCases } from '#application/use-cases/api-keys.ts';
import { webhookEndpointUseCases } from '#application/use-cases/webhook-endpoints.ts';
import { Role } from '#domain/access.ts';
import type { ApiKeyId } from '#domain/api-key.ts';
import { Product } from '#domain/product.ts';
import type { UserId } from '#domain/user.ts';
import { WebhookEndpoint } from '#domain/webhooks/endpoint.ts';
import { existing } from '#test/contracts/harness.ts';
import {
  anApiKey,
  aProduct,
  aPurchase,
  aRecord,
  aUser,
  aWebhook,
  later,
  noon,
} from '#test/contracts/samples.ts';
import { newId } from '#test/support/machine.ts';

/** Resolves for both once both have called it, and at once for later calls. */
const barrier = () => {
  const both = Promise.withResolvers<void>();
  let count = 0;
  return (): Promise<void> => {
    count += 1;
    if (count === 2) both.resolve();
    return both.promise;
  };
};

/** Two units of work on two nodes: a lock binds one node, so the loser learns it at its commit. @param stores one of each node */
export const describeUnitsOverNodes = (stores: () => readonly Store[]) =>
  describe('lets one of two units of work on two nodes', () => {
    const node = (index: number): Store => existing(stores()[index]);

    it('lose, when both lock a row, read, insert elsewhere and change the row (write skew)', async () => {
      const product = aProduct();
      await node(0).unitOfWork.run(({ products }) => products.add(product));
      const both = barrier();
      const runs = [0, 0];
      const insertUnlessChanged = (index: number) =>
        node(index).unitOfWork.run(async ({ products, users }) => {
          runs[index] = (runs[index] ?? 0) + 1;
          const held = existing(await products.lock(product.id));
          await both();
          if (held.version > 1) return 'too late';
          await users.add(aUser());
          await products.save(Product.change(held, { name: `Tea ${index}` }, later(1)));
          return 'inserted';
        });
      const outcomes = await Promise.all([insertUnlessChanged(0), insertUnlessChanged(1)]);
      expect(outcomes).to.have.members(['inserted', 'too late']);
      expect(runs.toSorted()).to.deep.equal([1, 2]);
    });

    it('lose, when one creates a key with a key that the other revokes with its descendants', async () => {
      const { issue, revokeFamily } = apiKeyUseCases({
        clock: { now: () => noon },
        newId,
        mintToken: (id) => ({ token: id, secretHash: `hash of ${id}` }),
      });
      const user = aUser({ role: 'admin' });
      const root = anApiKey(user);
      await node(0).unitOfWork.run(async ({ users, apiKeys }) => {
        await users.add(user);
        await apiKeys.add(root);
      });
      const { role, id: userId } = user;
      const caller = { userId, role, scopes: Role.scopes(role), keyId: root.id, isStoredKey: true };
      const both = barrier();
      /** Commits once both have done their work. */
      const together = async <T>(work: Promise<T>): Promise<T> => {
        const result = await work;
        await both();
        return result;
      };
      await Promise.allSettled([
        node(0).unitOfWork.run((all) => together(issue(caller, { name: 'Child' })(all))),
        node(1).unitOfWork.run((all) => together(revokeFamily(caller, root.id)(all))),
      ]);
      const left = await node(2).unitOfWork.read(({ apiKeys }) => apiKeys.findBy('userId', [user.id]));
      expect(left).to.deep.equal([]);
    });

    it('lose, when both add the same idempotency key, or a live payment of the same order', async () => {
      const record = aRecord();
      const { user, order, payment } = aPurchase();
      await node(0).unitOfWork.run(async ({ users, orders }) => {
        await users.add(user);
        await orders.add(order);
      });
      for (let round = 0; round < 10; round += 1) {
        const key = { ...record, key: `${record.key}-${round}` };
        const begin = (index: number) =>
          node(index).unitOfWork.run(async ({ idempotencyKeys }) => {
            if (await idempotencyKeys.lock(key.userId, key.key)) return 'replayed';
            await idempotencyKeys.add(key);
            return 'begun';
          });
        expect(await Promise.all([begin(0), begin(1)])).to.have.members(['begun', 'replayed']);
      }
      const pay = (index: number) =>
        node(index).unitOfWork.run(async ({ payments }) => {
          const [live] = await payments.findBy('orderId', [order.id]);
          if (live !== undefined) return 'seen';
          await payments.add({ ...payment, id: aPurchase().payment.id });
          return 'begun';
        });
      expect(await Promise.all([pay(0), pay(1), pay(2)])).to.have.members(['begun', 'seen', 'seen']);
    });

    it('lose, when both create the last webhook endpoint that there may be', async () => {
      const endpoints = Array.from({ length: WebhookEndpoint.maxCount - 1 }, aWebhook);
      await node(0).unitOfWork.run(async ({ webhookEndpoints, endpointPositions }) => {
        await webhookEndpoints.addAll(endpoints.map(({ webhookEndpoint }) => webhookEndpoint));
        await endpointPositions.addAll(endpoints.map(({ endpointPosition: progress }) => progress));
      });
      const { create } = webhookEndpointUseCases({
        ...{ clock: { now: () => noon }, newId },
        webhooks: {
          sender: { problemOf: () => undefined },
          box: secretBox(temporaryKeys()),
          randomSecret,
        },
      });
      const admin = {
        userId: newId<UserId>(),
        role: 'admin',
        scopes: Role.scopes('admin'),
        keyId: newId<ApiKeyId>(),
      } as const;
      const both = barrier();
      const createOn = (index: number) =>
        node(index).unitOfWork.run(async (all) => {
          const created = await create(admin, { url: 'https://example.com/', ...WebhookEndpoint.defaults })(
            all,
          );
          await both();
          return created;
        });
      const outcomes = await Promise.allSettled([createOn(0), createOn(1)]);
      expect(outcomes.map(({ status }) => status)).to.have.members(['fulfilled', 'rejected']);
      const left = await node(2).unitOfWork.read(({ webhookEndpoints: all }) => all.page({}, { limit: 100 }));
      expect(left.rows).to.have.lengthOf(WebhookEndpoint.maxCount);
    });
  });
