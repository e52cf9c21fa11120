import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Repositories } from '#application/ports/repositories.ts';
import { Instant } from '#domain/instant.ts';
import { orderStatuses } from '#domain/order.ts';
import { Payment, paymentStatuses } from '#domain/payment.ts';
import { Product, productStatuses } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { refundStatuses } from '#domain/refund.ts';
import { text } from '#domain/text.ts';
import { newId } from '../support/machine.ts';
import { addPurchase, findPurchase, findRawPurchase, partsOf } from './every-collection.ts';
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

    const expectReturned = async (purchase: Purchase): Promise<void> => {
      // A store that changes what it is given would change what is expected, too.
      const expected = structuredClone(partsOf(purchase));
      await store.unitOfWork.run((repositories) => addPurchase(repositories, purchase));
      const found = await store.unitOfWork.read((repositories) => findPurchase(repositories, purchase));
      expect(found).to.deep.equal(expected);
      expect(partsOf(purchase)).to.deep.equal(expected);
      if (store.raw) expect(await findRawPurchase(store.raw, purchase)).to.deep.equal(expected);
    };

    it('return what was stored, with every optional field empty', async () => {
      const purchase = aPurchase();
      await expectReturned({ ...purchase, refund: { ...purchase.refund, chargeReference: null } });
    });

    it('return what was stored, at the limits', () => expectReturned(aFullPurchase()));

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
      const changes = async (change: (to: Repositories, purchase: Purchase) => Promise<unknown>) => {
        const purchase = aPurchase();
        await store.unitOfWork.run(async (repositories) => {
          await addPurchase(repositories, purchase);
          await change(repositories, purchase);
        });
      };
      for (const status of productStatuses) {
        await changes(async ({ products }, { product }) => {
          const changed = Product.change(product, { status }, later(1));
          await products.save(changed);
          expect(await products.find(product.id)).to.deep.equal(changed);
        });
      }
      for (const status of orderStatuses) {
        await changes(async ({ orders }, { order }) => {
          const changed = { ...order, status, paying: status === 'pending', version: order.version + 1 };
          await orders.save(changed);
          expect(await orders.find(order.id)).to.deep.equal(changed);
        });
      }
      for (const status of paymentStatuses) {
        await changes(async ({ payments }, { payment }) => {
          const changed = { ...payment, status, version: payment.version + 1 };
          await payments.save(changed);
          const found = await payments.find(payment.id);
          expect(found).to.deep.equal(changed);
          // Sums of what was read are sums of numbers.
          expect(Payment.refundable(found ?? payment)).to.deep.equal(Payment.captured(changed));
        });
      }
      for (const status of refundStatuses) {
        await changes(async ({ refunds }, { refund }) => {
          const changed = { ...refund, status, version: refund.version + 1 };
          await refunds.save(changed);
          expect(await refunds.find(refund.id)).to.deep.equal(changed);
        });
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
