import { expect } from 'chai';
import { type Collections, collectionNames, type Reader } from '#application/ports/repositories.ts';
import { roles } from '#domain/access.ts';
import { captureStatuses } from '#domain/capture.ts';
import { disputeStatuses } from '#domain/dispute.ts';
import { erasureStatuses } from '#domain/erasure.ts';
import { orderStatuses } from '#domain/order.ts';
import { paymentStatuses } from '#domain/payment.ts';
import { productStatuses } from '#domain/product.ts';
import { refundStatuses } from '#domain/refund.ts';
import { type User, userStatuses } from '#domain/user.ts';
import { webhookDeliveryStatuses } from '#domain/webhooks/delivery.ts';
import { webhookStatuses } from '#domain/webhooks/endpoint.ts';
import { addPurchase } from './every-collection.ts';
import { mocha, type Suite, storeFor } from './harness.ts';
import { aFullPurchase, aProduct, aPurchase, type Purchase, sampleOf } from './samples.ts';

/** The fields of every collection. A new collection or filter does not compile until it is tested here. */
export const filteredBy: {
  readonly [C in keyof Collections]: Readonly<Record<keyof Collections[C]['filter'], true>>;
} = {
  products: { status: true, sku: true },
  users: { email: true, role: true, externalId: true },
  orders: { userId: true, status: true, number: true, externalId: true },
  orderItems: { orderId: true },
  reviews: { itemId: true, productId: true, userId: true, userProduct: true },
  payments: { orderId: true, userId: true, status: true },
  refunds: { paymentId: true, userId: true },
  captures: { paymentId: true, userId: true },
  disputes: { paymentId: true, orderId: true, status: true },
  apiKeys: { userId: true, createdBy: true },
  identities: { userId: true, key: true },
  erasures: { userId: true, status: true },
  stockChanges: { productId: true },
  webhookEndpoints: {},
  endpointPositions: {},
  webhookDeliveries: { endpointId: true, eventId: true, status: true },
};

type FilteredText<C extends keyof Collections> = {
  [F in keyof Collections[C]['filter']]-?: string extends Required<Collections[C]['filter']>[F] ? F : never;
}[keyof Collections[C]['filter']];

/** The longest text that the rules of the domain allow in each field of texts. A new one does not compile until it is tested. */
const longestTexts: {
  readonly [C in keyof Collections as [FilteredText<C>] extends [never] ? never : C]: Readonly<
    Record<FilteredText<C>, string>
  >;
} = {
  products: { sku: '\u{1f511}'.repeat(64) },
  users: { email: `ada@${'long.example.'.repeat(30).slice(0, 248)}de`, externalId: '~'.repeat(128) },
  orders: { number: '7K3M-9QXA-2DFE', externalId: '~'.repeat(128) },
  reviews: { userProduct: `${'f'.repeat(36)}:${'f'.repeat(36)}` },
  identities: { key: '\u{1f511}'.repeat(320) },
};

/** The statuses of each collection that has some. */
export const statuses = {
  products: productStatuses,
  users: userStatuses,
  orders: orderStatuses,
  payments: paymentStatuses,
  refunds: refundStatuses,
  captures: captureStatuses,
  disputes: disputeStatuses,
  erasures: erasureStatuses,
  webhookEndpoints: webhookStatuses,
  webhookDeliveries: webhookDeliveryStatuses,
} as const satisfies {
  readonly [C in keyof Collections as Collections[C]['resource'] extends { readonly status: string }
    ? C
    : never]: readonly (Collections[C]['resource'] & { readonly status: string })['status'][];
};

/** The words of a field that has only some, by collection and field. */
const wordsOf: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  ...Object.fromEntries(Object.entries(statuses).map(([name, status]) => [name, { status }])),
  users: { status: userStatuses, role: roles },
};

/** @returns two values for a field that has only some; undefined where any id or text will do */
export const twoWordsOf = (collection: keyof Collections, field: string) =>
  wordsOf[collection]?.[field]?.slice(0, 2);

/** A field of texts by which a collection is filtered. */
export interface TextField {
  readonly collection: keyof Collections;
  readonly field: string;
  readonly longest: string;
}

export const textFields: readonly TextField[] = Object.entries(longestTexts).flatMap(([collection, fields]) =>
  Object.entries(fields).map(([field, longest]) => ({
    collection: collection as keyof Collections,
    ...{ field, longest },
  })),
);

/** Which fields the collections promise to be filtered by. */
export const describeFilters: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: the collections are filtered by each of their fields`, () => {
    const { it, before } = runner;
    const store = storeFor(open, runner);
    const purchases: Purchase[] = [];
    before(async () => {
      const details = [
        { status: 'active', sku: 'tea' },
        { status: 'active', sku: 'mate' },
        { status: 'archived', sku: 'rooibos' },
        { status: 'draft', sku: null },
      ] as const;
      for (const each of details) purchases.push(aPurchase(aProduct(each)));
      purchases.push(aFullPurchase());
      await store.unitOfWork.run(async (repositories) => {
        for (const purchase of purchases) await addPurchase(repositories, purchase);
      });
    });

    /** Every value that occurs finds those that have it, and no other. */
    const finds = <C extends keyof Collections>(
      collection: C,
      field: keyof Collections[C]['filter'] & keyof Collections[C]['resource'] & string,
      resource: (of: Purchase) => Collections[C]['resource'],
    ) =>
      it(`${collection} by ${field}`, async () => {
        const all = purchases.map(resource);
        for (const { [field]: value } of all) {
          if (value === null) continue;
          const filter = { [field]: value } as Collections[C]['filter'];
          const { rows } = await store.unitOfWork.read((repositories) => {
            const reader: Reader<Collections[C]['resource'], Collections[C]['filter']> =
              repositories[collection];
            return reader.page(filter, { limit: 100 });
          });
          expect(rows).to.deep.equal(all.filter((each) => each[field] === value));
        }
      });

    for (const collection of collectionNames) {
      const fields = Object.keys(filteredBy[collection]) as never[];
      for (const field of fields) finds(collection, field, sampleOf[collection]);
    }

    it('and by all of them at once, where a field that is undefined asks for nothing', async () => {
      const [mine, theirs] = purchases;
      const find = (userId: User['id'] | undefined, status: 'paid' | 'canceled') =>
        store.unitOfWork.read(({ orders }) =>
          orders.page(userId === undefined ? { status } : { userId, status }, { limit: 100 }),
        );
      expect((await find(mine?.user.id, 'paid')).rows).to.deep.equal([mine?.order]);
      expect((await find(theirs?.user.id, 'canceled')).rows).to.deep.equal([]);
      expect((await find(undefined, 'paid')).rows).to.have.lengthOf(purchases.length);
    });
  });
