import { expect } from 'chai';
import * as fc from 'fast-check';
import { Instant } from '#domain/instant.ts';
import { Payment } from '#domain/payment.ts';
import { Quantity } from '#domain/quantity.ts';
import type { Resource } from '#domain/resource.ts';
import { text } from '#domain/text.ts';
import { newId } from '../support/machine.ts';
import {
  addPurchases,
  findPurchase,
  findRawPurchase,
  neededBy,
  partOf,
  partsOf,
  readerOf,
  repositoryOf,
  type WayToWrite,
  waysToWrite,
  withField,
  writePurchaseBy,
} from './every-collection.ts';
import { statuses } from './filters.ts';
import { mocha, type Suite, storeFor } from './harness.ts';
import { assertRandomly } from './random.ts';
import { aFullPurchase, anApiKey, aProduct, aPurchase, aUser, later, type Purchase } from './samples.ts';

const most = Number.MAX_SAFE_INTEGER;

const words = fc.string({ unit: 'binary', maxLength: 60 }).filter((value) => !text(0, 60).violation(value));
const instants = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) }).map(Instant.at);
const amounts = fc.oneof(fc.constant(most), fc.maxSafeNat());
const quantities = fc.integer({ min: 0, max: 1_000_000_000 }).map((value) => Quantity.of(value / 1000));

const withMilliseconds = Instant.at(Date.UTC(2026, 0, 1, 12, 0, 0, 1));

/** What is given back is what was given, in every field of every resource. */
export const describeRoundTrips: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: round trips`, () => {
    const { it } = runner;
    const store = storeFor(open, runner);

    const expectReturned = async (purchase: Purchase, way: WayToWrite = 'add'): Promise<void> => {
      // A store that changes what it is given would change what is expected, too.
      const given = structuredClone(partsOf(purchase));
      const expected = structuredClone(await writePurchaseBy(store.unitOfWork, way, purchase, aPurchase()));
      const found = await store.unitOfWork.read((repositories) => findPurchase(repositories, purchase));
      expect(found).to.deep.equal(expected);
      expect(partsOf(purchase)).to.deep.equal(given);
      if (store.raw) expect(await findRawPurchase(store.raw, purchase)).to.deep.equal(expected);
    };

    it('return what was stored, with every optional field empty', async () => {
      const purchase = aPurchase();
      await expectReturned({ ...purchase, refund: { ...purchase.refund, chargeReference: null } });
    });

    it('return what was stored, at the limits', async () => {
      for (const way of waysToWrite) await expectReturned(aFullPurchase(), way);
    });

    it('return what was stored, each value in its own field', async () => {
      const purchase = aPurchase(
        aProduct({ stock: Quantity.zero, quantityStep: Quantity.of(2), description: 'Loose', sku: newId() }),
      );
      const { order, payment, refund, review } = purchase;
      const money = (amount: number) => ({ amount, currency: payment.amount.currency });
      const failure = { code: 'card_declined', message: 'The card was declined.' };
      await expectReturned({
        ...purchase,
        order: { ...order, total: money(0), updatedAt: later(1) },
        payment: { ...payment, amount: money(5), refunded: money(3), refunding: money(0), failure },
        refund: { ...refund, reason: 'Cold', providerReference: 're_1', failure },
        review: { ...review, title: 'Good', body: 'Hot' },
      });
    });

    it('return what was stored, including an API key without scopes', async () => {
      const purchase = aPurchase();
      await expectReturned({ ...purchase, apiKey: anApiKey(purchase.user, { scopes: [] }) });
    });

    it('return what was stored, in every status', async () => {
      for (const [name, all] of Object.entries(statuses)) {
        const collection = name as keyof typeof statuses;
        for (const status of all) {
          const purchase = aPurchase();
          const resource = partOf(purchase, collection);
          const paying = collection === 'orders' ? { paying: status === 'pending' } : {};
          const changed = {
            ...withField(resource, 'status', status),
            ...paying,
            version: resource.version + 1,
          };
          await store.unitOfWork.run(async (repositories) => {
            await addPurchases(repositories, [purchase], neededBy(collection));
            const repository = repositoryOf(repositories, collection);
            await repository.save(changed);
            expect(await repository.find(resource.id), `${status} ${name}`).to.deep.equal(changed);
          });
          const found = await store.unitOfWork.read((repositories) =>
            readerOf(repositories, collection).find(resource.id),
          );
          expect(found, `${status} ${name}`).to.deep.equal(changed);
          // Sums of what was read are sums of numbers.
          if (collection === 'payments')
            expect(Payment.refundable(found as Payment)).to.deep.equal(
              Payment.captured(changed as Resource as Payment),
            );
        }
      }
    });

    it('return what was stored, for arbitrary texts, amounts, quantities and instants', async () => {
      await assertRandomly(
        fc.asyncProperty(
          words,
          words,
          amounts,
          quantities,
          instants,
          instants,
          async (name, note, amount, stock, one, other) => {
            const product = {
              ...aProduct({ stock }),
              name,
              description: note,
              price: { amount, currency: 'EUR' },
            };
            const dated = { ...product, createdAt: one, updatedAt: other };
            const user = { ...aUser(), name: note, createdAt: other };
            await store.unitOfWork.run(async ({ products, users }) => {
              await products.add(dated);
              await users.add(user);
            });
            const kept = await store.unitOfWork.read(async ({ products, users }) => ({
              product: await products.find(dated.id),
              user: await users.find(user.id),
            }));
            expect(kept).to.deep.equal({ product: dated, user });
            if (store.raw === undefined) return;
            expect(await store.raw.find('products', dated.id)).to.deep.equal(dated);
            expect(await store.raw.find('users', user.id)).to.deep.equal(user);
          },
        ),
        60,
        [['Tea', 'Loose', most, Quantity.of(0.001), withMilliseconds, Instant.latest]],
      );
    });
  });
