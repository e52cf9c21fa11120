import { orderChip } from '../../components/chips.ts';
import { onEvents } from '../../components/live.ts';
import { load, show } from '../../components/states.ts';
import { html, nothing } from '../../lit.ts';
import type { Dispute, Order, Payment } from '../../resources.ts';
import { hrefOf } from '../../router.ts';
import type { Context, View } from '../../view.ts';
import { cancelLostOrder, cancelOrder, capturePayment, markAsSent, releasePayment } from './actions.ts';
import { customerCard, detailsCard, isAuthorized, itemsCard, paymentsCard } from './cards.ts';
import { isLost, whyNotYet } from './lost-money.ts';
import { packingSlip, slipPrinter } from './packing-slip.ts';
import { nextToPack, readEvents, readOrder, type WholeOrder } from './read.ts';
import {
  aboutRefund,
  cancelAndRefund,
  cancelableBy,
  cancelLabel,
  isBeingRefunded,
  paymentsOf,
  refundPayment,
} from './refunds.ts';
import { refundableOf } from './seen-payment.ts';
import { timeline } from './timeline.ts';

/** One order: what was ordered, by whom, where it goes, its money, and what has happened. */
export const orderView = (context: Context): View => {
  const { params, update } = context;
  const view: View = { title: 'Order', template: () => nothing };
  const loading = load(context, async () => {
    const read = await readOrder(context, params.id);
    view.title = `Order ${read.order.number}`;
    return read;
  });
  const events = load(context, () => readEvents(context, params.id));
  onEvents(context, { order_id: params.id }, () => {
    loading.reload();
    events.reload();
  });
  const slip = slipPrinter(context);
  /** What is to be packed next, once this order was marked as sent here. */
  let next: Order | null | undefined;
  /** @param done what to notify of, from what the action has returned */
  const act = async <Result>(action: Promise<Result | undefined>, done: (result: Result) => string) => {
    const result = await action;
    if (result === undefined) return;
    context.notify(done(result));
    loading.reload();
    events.reload();
    update();
  };
  const send = (order: Order) =>
    act(markAsSent(context, order), () => {
      nextToPack(context).then(showNext, () => undefined);
      return 'The order is marked as sent.';
    });
  const showNext = (order: Order | null) => {
    next = order;
    update();
    setTimeout(() => document.querySelector<HTMLElement>('#next')?.focus());
  };

  const actions = ({ order, disputes }: Pick<WholeOrder, 'order' | 'disputes'>) => html`
    <div class="actions">
      ${orderChip(order.status)}
      ${next ? html`<a id="next" class="button" href=${hrefOf(`/orders/${next.id}`)}>Next order to pack</a>` : nothing}
      ${next === null ? html`<span id="next" class="soft" tabindex="-1">Everything is packed.</span>` : nothing}
      ${isLost(order, disputes) ? lostAction(order, disputes) : nothing}
      ${order.status === 'paid' ? sendAction(order, disputes) : nothing}
      ${order.status === 'paid' || order.status === 'fulfilled' ? html`<button type="button" @click=${slip.print}>Print packing slip</button>` : nothing}
      ${cancelAction(order, cancelableBy(order))}
      ${paymentsOf(order).map((payment) =>
        refundableOf(payment) > 0
          ? html`<button type="button" @click=${() => act(refundPayment(context, order, payment), (refund) => aboutRefund(refund, payment))}>Refund</button>`
          : nothing,
      )}
      ${paymentsOf(order)
        .filter(isAuthorized)
        .map((payment) => moneyActions(order, payment))}
      ${order.status === 'pending' && !paymentsOf(order).some(isAuthorized) ? html`<button type="button" @click=${() => act(cancelOrder(context, order), () => 'The order is canceled.')}>Cancel order</button>` : nothing}
    </div>
  `;

  const sendAction = (order: Order, disputes: readonly Dispute[]) =>
    isBeingRefunded(order)
      ? html`<span>All the money is on its way back. Do not send the order.</span>`
      : html`<button type="button" class=${isLost(order, disputes) ? '' : 'primary'} @click=${() => send(order)}>Mark as sent</button>`;

  const lostAction = (order: Order, disputes: readonly Dispute[]) => {
    const reason = whyNotYet(order, disputes);
    return html`<span>Money was lost in a dispute, and the goods are not sent. ${reason}</span>
      ${reason ? nothing : html`<button type="button" class="primary" @click=${() => act(cancelLostOrder(context, order), () => 'The order is canceled, and its goods are back in stock.')}>Cancel order</button>`}`;
  };

  const cancelAction = (order: Order, payment: Payment | undefined) =>
    payment === undefined
      ? nothing
      : html`<button type="button" @click=${() => act(cancelAndRefund(context, order, payment), (refund) => aboutRefund(refund, payment))}>${cancelLabel(payment)}</button>`;

  const moneyActions = (order: Order, payment: Payment) => html`
    <button type="button" class="primary" @click=${() => act(capturePayment(context, order, payment), () => 'The payment is taken.')}>Take the payment</button>
    <button type="button" @click=${() => act(releasePayment(context, order, payment), () => 'The payment is released.')}>Release the payment</button>
  `;

  view.template = () =>
    show(
      loading,
      ({ order, refunds, skus, disputes }) => html`
      ${slip.isPrinting() ? packingSlip(order, skus) : nothing}
      ${actions({ order, disputes })}
      <div class="order">
        ${itemsCard(order, skus)}
        <div class="beside-items">${customerCard(order)} ${paymentsCard(order, refunds)} ${detailsCard(order)}</div>
        <section class="card"><h2>What has happened</h2>${show(events, (list) => timeline(list))}</section>
      </div>
    `,
    );
  return view;
};
