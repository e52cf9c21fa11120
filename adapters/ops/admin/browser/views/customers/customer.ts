import type { DataOf } from '../../../client/index.ts';
import { mayBeAdmin } from '../../components/caller.ts';
import { orderChip, statusChip } from '../../components/chips.ts';
import { inlineEdits } from '../../components/inline-edit.ts';
import { load, show } from '../../components/states.ts';
import { errorOf } from '../../errors.ts';
import { formatAgo, formatMoney, formatTime, toWords } from '../../format.ts';
import { html, nothing } from '../../lit.ts';
import type { ListPage, Order, User } from '../../resources.ts';
import { hrefOf } from '../../router.ts';
import type { Context, View } from '../../view.ts';
import { listOrders, pieceCount, refundChip } from '../order-lists.ts';
import { type CustomerField, customerEdit } from './edits.ts';

const shownOrders = 20;
const shownReviews = 10;

/** One customer: its data, orders and reviews. */
export const customerView = (context: Context): View => {
  const { api, params, signal } = context;
  const view: View = { title: 'Customer', template: () => nothing };
  const customer = load(context, async () => {
    const { data } = await api.send('GET /users/{user_id}', { path: { user_id: params.id }, signal });
    view.title = data.name;
    return { ...data, isAdminAsking: mayBeAdmin(await api.caller()) };
  });
  const editable = inlineEdits<User>(context);
  view.hasUnsaved = editable.hasUnsaved;
  const replace = (data: User) => {
    view.title = data.name;
    customer.replace({ isAdminAsking: false, ...customer.value, ...data });
  };
  /** Who may not change it, or whose data are erased, is shown as a text. */
  const value: ShowField = (user, field) =>
    user.isAdminAsking && user.status === 'active'
      ? html`<div class="editable">${editable(customerEdit(context, user, field, replace))}</div>`
      : (user[field] ?? '—');
  const orders = load(context, () =>
    listOrders(context, { user_id: params.id, sort: '-id', limit: shownOrders }),
  );
  const reviews = load(context, () => reviewsOf(context));

  view.template = () =>
    show(
      customer,
      (user) => html`
        <div class="two-columns">
          <div>
            <section class="card"><h2>Orders</h2>${show(orders, (page) => ordersTable(page, user))}</section>
            <section class="card"><h2>Reviews</h2>${show(reviews, reviewList)}</section>
          </div>
          <div>${detailsCard(user, value)} ${privacyCard(user)}</div>
        </div>
      `,
    );
  return view;
};

type Review = DataOf<'GET /reviews'>;

/** A customer, and whether the viewer is an administrator. */
interface SeenUser extends User {
  readonly isAdminAsking: boolean;
}

type ShowField = (user: SeenUser, field: CustomerField) => unknown;

/** A key may have no right to reviews: a customer is shown without them. */
const reviewsOf = async ({ api, params, signal }: Context): Promise<readonly Review[]> => {
  const query = { user_id: params.id, sort: '-id', limit: shownReviews, expand: 'product' } as const;
  try {
    return (await api.send('GET /reviews', { query, signal })).data;
  } catch (error) {
    if (errorOf(error).code === 'FORBIDDEN') return [];
    throw error;
  }
};

const ordersTable = ({ data, pagination }: ListPage<Order>, { email }: User) =>
  data.length === 0
    ? html`<p class="soft">None yet</p>`
    : html`
        <table class="list plain">
          <caption>Orders of the customer, the newest first</caption>
          <thead>
            <tr><th scope="col">Order</th><th scope="col">Placed</th><th scope="col" class="number">Pieces</th><th scope="col" class="number">Total</th><th scope="col">Status</th></tr>
          </thead>
          <tbody>
            ${data.map(
              (order) => html`<tr>
                <th scope="row"><a class="row" href=${hrefOf(`/orders/${order.id}`)}>${order.number}</a></th>
                <td data-label="Placed"><time datetime=${order.created_at} title=${formatTime(order.created_at)}>${formatAgo(order.created_at)}</time></td>
                <td data-label="Pieces" class="number">${pieceCount(order)}</td>
                <td data-label="Total" class="number">${formatMoney(order.total)}</td>
                <td data-label="Status">${orderChip(order.status)} ${refundChip(order)}</td>
              </tr>`,
            )}
          </tbody>
        </table>
        ${pagination.next_cursor === null ? nothing : html`<p><a href=${hrefOf('/orders', { q: email })}>Show more orders</a></p>`}
      `;

const reviewList = (reviews: readonly Review[]) =>
  reviews.length === 0
    ? html`<p class="soft">None yet</p>`
    : reviews.map(
        ({ rating, title, body, product_id: productId, created_at: at, expanded }) => html`
          <div class="entry">
            <p>
              <span aria-hidden="true" class="stars">${'★'.repeat(rating)}${'☆'.repeat(5 - rating)}</span>
              <span class="hidden">${rating} of 5 stars</span>
              <b>${title}</b>
            </p>
            ${body ? html`<p class="text">${body}</p>` : nothing}
            <p class="soft"><a href=${hrefOf(`/products/${productId}`)}>${expanded?.product?.name ?? 'Product'}</a> · ${formatTime(at)}</p>
          </div>
        `,
      );

const detailsCard = (user: SeenUser, value: ShowField) => {
  const { id, email, role, status, metadata, created_at: at, isAdminAsking } = user;
  return html`
  <section class="card">
    <h2>Details</h2>
    <dl class="facts">
      <dt>Name</dt><dd>${value(user, 'name')}</dd>
      <dt>E-mail</dt><dd><a href="mailto:${encodeURIComponent(email)}">${email}</a></dd>
      ${role === 'customer' ? nothing : html`<dt>Role</dt><dd>${toWords(role)}</dd>`}
      ${status === 'active' ? nothing : html`<dt>Status</dt><dd>${statusChip(status)}</dd>`}
      <dt>Number in another system</dt><dd>${value(user, 'external_id')}</dd>
      <dt>Since</dt><dd>${formatTime(at)}</dd>
      ${Object.entries(metadata).map(([key, value]) => html`<dt>${key}</dt><dd>${value}</dd>`)}
      ${isAdminAsking ? html`<dt>For programs</dt><dd><a href=${hrefOf('/keys', { user: id })}>Keys</a>, <a href=${hrefOf('/requests', { user: id })}>requests</a></dd>` : nothing}
      <dt>Id</dt><dd class="id">${id}</dd>
    </dl>
  </section>
`;
};

const privacyCard = ({ status }: User) => html`
  <section class="card">
    <h2>Personal data</h2>
    ${
      status === 'erased'
        ? html`<p class="soft">It was erased. Orders and sums are kept.</p>`
        : html`<p class="soft">When a customer asks you to be forgotten, their personal data can be erased. It cannot be undone.</p>
            <p><a href="/docs/guides/forget-a-customer" target="_blank" rel="noreferrer">How to erase personal data</a></p>`
    }
  </section>
`;
