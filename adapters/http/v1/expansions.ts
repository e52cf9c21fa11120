import type { UseCases } from '#application/application.ts';
import { expansionsOf } from '#application/expansion/expansions.ts';
import { orderItemView } from './order-items.ts';
import { orderView } from './orders.ts';
import { paymentView } from './payments.ts';
import { productView } from './products.ts';
import { refundView } from './refunds.ts';
import { userView } from './users.ts';

/** What the parameter `expand` can ask for, by resource. */
export const expandables = (useCases: UseCases) => {
  const { orders, payments, refunds, reviews } = expansionsOf(useCases);
  return {
    orders: {
      items: { expansion: orders.items, view: orderItemView },
      payments: { expansion: orders.payments, view: paymentView },
      user: { expansion: orders.user, view: userView },
    },
    payments: {
      order: { expansion: payments.order, view: orderView },
      refunds: { expansion: payments.refunds, view: refundView },
    },
    refunds: { payment: { expansion: refunds.payment, view: paymentView } },
    reviews: { product: { expansion: reviews.product, view: productView } },
  };
};
