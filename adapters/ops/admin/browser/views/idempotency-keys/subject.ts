import { orderChip, statusChip } from '../../components/chips.ts';
import { errorOf } from '../../errors.ts';
import { formatMoney, toWords } from '../../format.ts';
import { html, nothing } from '../../lit.ts';
import type { IdempotencyKey, Money, Order } from '../../resources.ts';
import { hrefOf } from '../../router.ts';
import type { Content, Context } from '../../view.ts';

type Subject = IdempotencyKey['subject'];

/** What a request is about, as far as the page shows it. */
interface Resource {
  readonly amount?: Money;
  readonly status: string;
  readonly failure?: { readonly code: string; readonly message: string | null } | null;
  readonly payment_id?: string;
  readonly order_id?: string;
}

interface ReadSubject {
  readonly resource?: Resource | undefined;
  readonly orderId?: string | undefined;
  readonly order?: Order | undefined;
}

/** Views of this page that show it. */
const views: Readonly<Record<string, string>> = {
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
export const readSubject = async (context: Context, subject: Subject): Promise<ReadSubject> => {
  if (subject === null) return {};
  const { type, id, path } = subject;
  if (type === 'order') {
    const order = await readOrder(context, id);
    return { resource: order, orderId: id, order };
  }
  const resource = await readMoved(context, type, id);
  const payment = resource?.payment_id ? await readMoved(context, 'payment', resource.payment_id) : resource;
  const orderId = payment?.order_id ?? orderIn(path);
  return { resource, orderId, order: orderId === undefined ? undefined : await readOrder(context, orderId) };
};

const readOrder = ({ api, signal }: Context, id: string): Promise<Order | undefined> =>
  ifReadable(api.send('GET /orders/{order_id}', { path: { order_id: id }, signal }));

/** Reads what moves money; the page shows no more than the id of anything else. */
const readMoved = async (
  { api, signal }: Context,
  type: string,
  id: string,
): Promise<Resource | undefined> => {
  const request = { path: { id }, signal };
  switch (type) {
    case 'payment':
      return ifReadable(api.send('GET /payments/{id}', request));
    case 'refund':
      return ifReadable(api.send('GET /refunds/{id}', request));
    case 'capture':
      return ifReadable(api.send('GET /captures/{id}', request));
    default:
      return undefined;
  }
};

const ifReadable = async <Data>(reading: Promise<{ readonly data: Data }>): Promise<Data | undefined> => {
  try {
    return (await reading).data;
  } catch (error) {
    const { status } = errorOf(error);
    if (status === 403 || status === 404) return undefined;
    throw error;
  }
};

/** `/v1/orders/…/items/…` belongs to an order. */
const orderIn = (path: string): string | undefined => /\/orders\/([0-9a-f-]{36})\//.exec(path)?.[1];

/** What it was about, with links to where it is shown. */
export const subjectCard = (subject: Subject, { resource, orderId, order }: ReadSubject): Content => {
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

const orderLink = (id: string | undefined, order: Order | undefined) => html`
  <a href=${hrefOf(`/orders/${id}`)}>${order ? order.number : 'Show the order'}</a> ${order ? orderChip(order.status) : nothing}
`;
