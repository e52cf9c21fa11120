import type { Order } from '#domain/order.ts';
import { OrderDetails } from '#domain/order-details.ts';
import { OrderPrice } from '#domain/order-price.ts';
import { TaxRate } from '#domain/tax.ts';
import { taxesOf } from '#domain/taxes.ts';
import { address, addressPatch, newAddress } from './address.ts';
import { described, forRole } from './codec.ts';
import { listOf, money, moneyPatch, nullable, taxRate, text } from './codecs.ts';
import { externalId, metadata, metadataPatch } from './metadata.ts';
import { strictObject } from './object-codec.ts';
import { derived } from './view.ts';

/** The fields of an order that clients write, besides its items and its status, and what follows from them. */

const about = {
  shippingAddress: 'Where the order is sent to.',
  billingAddress: 'What is on the invoice.',
  shipping: "What shipping costs, in the order's currency. Written by staff.",
  discount: 'What the order costs less. At most the items and shipping together. Written by staff.',
};

const note = described(nullable(text(OrderDetails.rules.note)), 'A text from the customer.', 'Ring twice.');

const shippingTaxRate = described(
  nullable(taxRate),
  'The tax that the price of shipping includes, in percent; null when it is not taxed. Written by staff.',
  20,
);

const ownedBy = { note };

const ofStaff = {
  externalId: forRole('staff', externalId),
  shippingTaxRate: forRole('staff', shippingTaxRate),
};

/** At creation. */
export const orderDetails = {
  ...ownedBy,
  ...ofStaff,
  metadata: forRole('staff', metadata),
  shippingAddress: described(nullable(newAddress), about.shippingAddress),
  billingAddress: described(nullable(newAddress), about.billingAddress),
  shipping: forRole('staff', described(money, about.shipping)),
  discount: forRole('staff', described(money, about.discount)),
};

/** In a merge patch (RFC 7396). */
export const orderDetailsPatch = {
  ...ownedBy,
  ...ofStaff,
  metadata: forRole('staff', metadataPatch),
  shippingAddress: described(nullable(addressPatch), `${about.shippingAddress} Null removes it.`),
  billingAddress: described(nullable(addressPatch), `${about.billingAddress} Null removes it.`),
  shipping: forRole('staff', described(moneyPatch, about.shipping)),
  discount: forRole('staff', described(moneyPatch, about.discount)),
};

const tax = strictObject({
  rate: described(taxRate, 'In percent.', 20),
  gross: described(money, 'What is paid under this rate, tax included.', { amount: 4780, currency: 'EUR' }),
  net: described(money, '`gross` without `tax`.', { amount: 3983, currency: 'EUR' }),
  tax: described(money, 'The tax in `gross`, rounded half away from zero.', { amount: 797, currency: 'EUR' }),
});

const taxesInMoney = (order: Order) => {
  const { currency } = order.total;
  const itemsTotal = OrderPrice.itemsTotal(order).amount;
  const parts = { itemsTotal, shipping: order.shipping.amount, discount: order.discount.amount };
  const { shippingTaxRate: rateOfShipping, taxedItems } = order;
  return taxesOf({ ...parts, shippingTaxRate: rateOfShipping, taxedItems }).map((one) => ({
    rate: one.rate,
    gross: { amount: one.gross, currency },
    net: { amount: one.net, currency },
    tax: { amount: one.tax, currency },
  }));
};

/** What an order costs, in its response. */
export const orderPrice = {
  itemsTotal: derived(
    described(money, 'The sum of the totals of its items.', { amount: 4780, currency: 'EUR' }),
    OrderPrice.itemsTotal,
  ),
  shipping: described(money, 'What shipping costs.', { amount: 0, currency: 'EUR' }),
  discount: described(money, 'What the order costs less.', { amount: 0, currency: 'EUR' }),
  total: described(money, 'What is to be paid: items and shipping without the discount.', {
    amount: 4780,
    currency: 'EUR',
  }),
  shippingTaxRate,
  taxes: derived(
    described(listOf(tax, TaxRate.max + 1), 'The taxes in `total`, by ascending rate.'),
    taxesInMoney,
  ),
};

/** The rest, in its response. */
export const orderFields = {
  shippingAddress: described(nullable(address), about.shippingAddress),
  billingAddress: described(nullable(address), about.billingAddress),
  note,
  externalId,
  metadata,
};
