// @ts-nocheck
import { orderChip, statusChip } from '../../components/chips.ts';
import { formatMoney, toWords } from '../../format.ts';
import { html, nothing } from '../../lit.ts';
import { hrefOf } from '../../router.ts';

/** How what a request is about is read: the target, and the name of the id in its path. */
const targets = {
  order: ['GET /orders/{order_id}', 'order_id'],
  payment: ['GET /payments/{id}', 'id'],
  refund: ['GET /refunds/{id}', 'id'],
  capture: ['GET /captures/{id}', 'id'],
};

/** Views of this page that show it. */
const views = {
  order: '/orders',
  product: '/products',
  user: '/customers',
  api_key: '/keys',
  webhook_endpoint: '/webhooks',
  webhook_delivery: '/webhooks/deliveries',
};

/**
 * Reads what a request has made or changed, and the order that it belongs to.
 * @returns nothing where it is deleted, or the key may not read it
 */
export const readSubject = async ({ api, signal }, subject) => {
  const read = async (type, id) => {
    const [target, name] = targets[type] ?? [];
    if (target === undefined) return undefined;
    try {
      return (await api.send(target, { path: { [name]: id }, signal })).data;
    } catch (error) {
      if (error.status === 403 || error.status === 404) return undefined;
      throw error;
    }
  };
  if (subject === null) return {};
  const resource = await read(subject.type, subject.id);
  const payment = resource?.payment_id ? await read('payment', resource.payment_id) : resource;
  const orderId = subject.type === 'order' ? subject.id : (payment?.order_id ?? orderIn(subject.path));
  const order = subject.type === 'order' ? resource : orderId && (await read('order', orderId));
  return { resource, orderId, order };
};

/** `/v1/orders/…/items/…` belongs to an order. */
const orderIn = (path) => /\/orders\/([0-9a-f-]{36})\//.exec(path)?.[1];

/** What it was about, with links to where it is shown. */
export const subjectCard = (subject, { resource, orderId, order }) => {
  if (subject === null) return nothing;
  const view = views[subject.type];
  return html`
    <section class="card">
      <h2>What it was about</h2>
      <dl class="facts">
        <dt>${toWords(subject.type)}</dt>
        <dd>
          ${resource?.amount ? html`<b>${formatMoney(resource.amount)}</b> ` : nothing}
          ${resource?.status && subject.type !== 'order' ? statusChip(resource.status) : nothing}
          ${resource?.failure ? html`<p class="bad">${resource.failure.message ?? resource.failure.code}</p>` : nothing}
          ${view && subject.type !== 'order' ? html`<a href=${hrefOf(`${view}/${subject.id}`)}>Show it</a>` : nothing}
          ${subject.type === 'order' ? orderLink(orderId, order) : html`<div class="id">${subject.id}</div>`}
        </dd>
        ${orderId && subject.type !== 'order' ? html`<dt>Order</dt><dd>${orderLink(orderId, order)}</dd>` : nothing}
      </dl>
    </section>
  `;
};

const orderLink = (id, order) => html`
  <a href=${hrefOf(`/orders/${id}`)}>${order ? order.number : 'Show the order'}</a> ${order ? orderChip(order.status) : nothing}
`;
