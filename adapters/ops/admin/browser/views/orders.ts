import type { QueryOf } from '../../client/index.ts';
import { filterLinks, orderChip } from '../components/chips.ts';
import { onEvents } from '../components/live.ts';
import { nothingFoundText } from '../components/nothing-found.ts';
import { pager } from '../components/pager.ts';
import { searchForm } from '../components/search.ts';
import { emptyState, load, show } from '../components/states.ts';
import { errorOf } from '../errors.ts';
import { formatAgo, formatMoney, formatTime } from '../format.ts';
import { html, nothing, repeat } from '../lit.ts';
import type { ListPage, Order } from '../resources.ts';
import { hrefOf } from '../router.ts';
import type { Context, View } from '../view.ts';
import { listOrders, pieceCount, refundChip } from './order-lists.ts';

const statuses: readonly (readonly [Order['status'] | undefined, string])[] = [
  [undefined, 'All'],
  ['paid', 'To pack'],
  ['pending', 'Not paid'],
  ['fulfilled', 'Sent'],
  ['canceled', 'Canceled'],
  ['refunded', 'Refunded'],
];

/** What waits to be packed is shown with the oldest first, all else with the newest. */
const isOldestFirst = (status: string | undefined): boolean => status === 'paid';

/** The orders of the shop. They follow the feed of events while the view is open. */
export const ordersView = (context: Context): View => {
  const { query, update } = context;
  const [text, cursor] = ['q', 'cursor'].map((name) => query.get(name) ?? undefined);
  const status = statusOf(query.get('status'));
  const orders = load(context, () =>
    text === undefined ? list(context, status, cursor) : search(context, text, cursor),
  );
  let fresh = new Set<string | null>();
  let isLive = cursor === undefined;

  if (cursor === undefined && text === undefined) {
    onEvents(
      context,
      { type: 'order.*' },
      (events) => {
        fresh = new Set(events.map(({ order_id: id }) => id));
        orders.reload();
      },
      {
        onEnd: () => {
          isLive = false;
          update();
        },
      },
    );
  }

  const row = (order: Order) => {
    const { id, number, status: current, total, created_at: at, expanded } = order;
    return html`<tr class=${fresh.has(id) ? 'fresh' : ''}>
      <th scope="row"><a class="row" href=${hrefOf(`/orders/${id}`)}>${number}</a></th>
      <td data-label="Placed"><time datetime=${at} title=${formatTime(at)}>${formatAgo(at)}</time></td>
      <td data-label="Customer">${expanded?.user?.name ?? expanded?.user?.email ?? '—'}</td>
      <td data-label="Pieces" class="number">${pieceCount(order)}</td>
      <td data-label="Total" class="number">${formatMoney(total)}</td>
      <td data-label="Status">${orderChip(current)} ${refundChip(order)}</td>
    </tr>`;
  };

  const table = ({ data, pagination }: ListPage<Order>) =>
    data.length === 0
      ? text === undefined
        ? emptyState('No orders here yet', 'They appear by themselves once customers order.')
        : emptyState(
            'Nothing found',
            html`${nothingFoundText(text, '7K3M-9QXA-2DFE')} Look the e-mail address up, in your mail or under
              <a href="#/customers">Customers</a>, and search for it as a whole.`,
          )
      : html`
          <table class="list">
            <caption>Orders, the ${isOldestFirst(status) && text === undefined ? 'oldest' : 'newest'} first</caption>
            <thead>
              <tr>
                <th scope="col">Order</th><th scope="col">Placed</th><th scope="col">Customer</th>
                <th scope="col" class="number">Pieces</th><th scope="col" class="number">Total</th><th scope="col">Status</th>
              </tr>
            </thead>
            <tbody>${repeat(data, ({ id }) => id, row)}</tbody>
          </table>
          ${pager(pagination, cursor, (next) => hrefOf('/orders', { status, q: text, cursor: next }))}
        `;

  return {
    title: 'Orders',
    template: () => html`
      <div class="tools">
        ${searchForm({
          label: 'Search orders',
          placeholder: 'E-mail or order number',
          about: 'Search for a whole e-mail address, order number, or number in another system.',
          text,
          hrefOf: (wanted) => hrefOf('/orders', { q: wanted }),
        })}
        ${isLive && text === undefined ? html`<span class="live">Live</span>` : nothing}
      </div>
      ${text === undefined ? filterLinks('Status', statuses, status, (value) => hrefOf('/orders', { status: value })) : html`<p>Found for <b>${text}</b>. <a href="#/orders">Show all orders</a></p>`}
      ${show(orders, table)}
    `,
  };
};

const statusOf = (text: string | null): Order['status'] | undefined =>
  statuses.find(([status]) => status === text)?.[0];

const list = (context: Context, status: Order['status'] | undefined, cursor: string | undefined) =>
  listOrders(context, {
    limit: 20,
    ...(!isOldestFirst(status) && { sort: '-id' as const }),
    ...(status && { status }),
    ...(cursor && { cursor }),
  });

const nothingFound: ListPage<Order> = { data: [], pagination: { next_cursor: null } };

/** The orders of a customer are in pages. By number and external id, which may be alike, there is one at most of each. */
const search = async (
  context: Context,
  text: string,
  cursor: string | undefined,
): Promise<ListPage<Order>> => {
  if (text.includes('@')) return ofCustomer(context, text, cursor);
  const pages = await Promise.all(
    [{ number: text }, { external_id: text }].map((filter) => find(context, filter)),
  );
  const byId = new Map(pages.flatMap(({ data }) => data).map((order) => [order.id, order]));
  return { ...nothingFound, data: [...byId.values()] };
};

const ofCustomer = async (
  context: Context,
  email: string,
  cursor: string | undefined,
): Promise<ListPage<Order>> => {
  const { api, signal } = context;
  const [user] = (await api.send('GET /users', { query: { email }, signal })).data;
  if (user === undefined) return nothingFound;
  return listOrders(context, { user_id: user.id, sort: '-id', limit: 20, ...(cursor && { cursor }) });
};

const find = async (context: Context, filter: QueryOf<'GET /orders'>): Promise<ListPage<Order>> => {
  try {
    return await listOrders(context, filter);
  } catch (error) {
    // A text that can be no number is not found by number.
    if (errorOf(error).code === 'VALIDATION_ERROR') return nothingFound;
    throw error;
  }
};
