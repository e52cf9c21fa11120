import { statusChip } from '../components/chips.ts';
import { onEvents } from '../components/live.ts';
import { load, show } from '../components/states.ts';
import { formatAgo, formatCount, formatMoney, formatTime } from '../format.ts';
import { html, nothing } from '../lit.ts';
import type { Dispute, Order, Payment, WebhookEndpoint } from '../resources.ts';
import { hrefOf } from '../router.ts';
import type { Content, Context, View } from '../view.ts';
import { lowStock, type Task } from './low-stock.ts';
import { disputesOf, isLost } from './order/lost-money.ts';
import { listOrders, piecesOf } from './order-lists.ts';
import { currenciesOf, daysOf, readSales, type Sales, type Sums, sumOf } from './sales.ts';
import { salesChart } from './sales-chart.ts';

/** How many rows of a list the overview shows. */
const shownRows = 5;

/** What has been sold, and what there is to do. */
export const todayView = (context: Context): View => {
  const sales = load(context, () => salesOfDays(context));
  const tasks = [
    toPack(context),
    lowStock(context, shownRows),
    openPayments(context, 'authorized', 'Payments to take'),
    openPayments(context, 'requires_action', 'Payments that wait for their payer'),
    openPayments(context, 'processing', 'Payments that the provider is deciding on'),
    disputes(context),
    lostOrders(context),
    webhooks(context),
  ];
  onEvents(
    context,
    { type: 'order.*' },
    () => {
      sales.reload();
      for (const { loading } of tasks) loading.reload();
    },
    { intervalMs: 10_000 },
  );
  return {
    title: 'Today',
    template: () => html`
      ${show(sales, salesSection)}
      <div class="tasks">${tasks.map(({ template }) => template())}</div>
    `,
  };
};

/** The last 30 days of the reader, today included. */
const salesOfDays = async ({ api, signal }: Context): Promise<SalesOfDays> => {
  const days = daysOf(new Date(), 30);
  return { days, ...(await readSales((query) => api.send('GET /sales', { query, signal }), days)) };
};

const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

const spans = [
  ['Today', 1],
  ['Last 7 days', 7],
  ['Last 30 days', 30],
] as const;

interface SalesOfDays extends Sales {
  readonly days: readonly Date[];
}

const salesSection = ({ days, rows, tooLarge }: SalesOfDays) => {
  const currencies = currenciesOf(rows);
  const note =
    tooLarge.length === 0
      ? nothing
      : html`<p class="bad">Without ${tooLarge.map((day) => dayFormat.format(day)).join(', ')}: a sum of that day is too large to be shown.</p>`;
  if (currencies.length === 0 && tooLarge.length > 0)
    return html`<section class="card"><h2>Sales</h2>${note}</section>`;
  if (currencies.length === 0)
    return html`<section class="card"><h2>Sales</h2><p class="soft">Nothing was ordered in the last 30 days.</p></section>`;
  return currencies.map(
    (currency) => html`
      <section class="card">
        <h2>${currencies.length > 1 ? `Sales in ${currency}` : 'Sales'}</h2>
        <div class="figures">
          ${spans.map(([title, count]) => figure(title, sumOf(rows, currency, days.at(-count) ?? new Date())))}
        </div>
        ${note} ${salesChart({ days, rows, currency })}
      </section>
    `,
  );
};

const figure = (title: string, { orders, paidOrders, paid, captured, refunded, disputed }: Sums) => html`
  <div class="figure">
    <h3>${title}</h3>
    <p class="value">${formatMoney(paid)}</p>
    <p class="soft">
      ${formatCount(orders)} ${orders === 1 ? 'order' : 'orders'}${paidOrders === orders ? nothing : `, ${formatCount(paidOrders)} paid`}${captured.amount === paid.amount ? nothing : `, ${formatMoney(captured)} taken`}${refunded.amount > 0 ? `, ${formatMoney(refunded)} refunded` : nothing}${disputed.amount > 0 ? `, ${formatMoney(disputed)} disputed` : nothing}
    </p>
  </div>
`;

interface TaskOptions<Row, Read extends { readonly data: readonly Row[] }> {
  readonly title: string;
  readonly read: () => Promise<Read>;
  /** What stands before the list, of what was read. */
  readonly lead?: (read: Read) => Content;
  readonly row: (row: Row) => Content;
  readonly whenEmpty?: string;
}

/** A list of what there is to do; nothing where there is nothing, unless it has a text for that. */
const task = <Row, Read extends { readonly data: readonly Row[] }>(
  context: Context,
  { title, read, lead = () => nothing, row, whenEmpty }: TaskOptions<Row, Read>,
): Task => {
  const loading = load(context, read);
  return {
    loading,
    template: () =>
      loading.value?.data.length === 0 && whenEmpty === undefined
        ? nothing
        : html`<section class="card">
            <h2>${title}</h2>
            ${show(loading, (page) =>
              page.data.length === 0
                ? html`<p class="soft">${whenEmpty}</p>`
                : html`${lead(page)}<ul class="entries">${page.data.slice(0, shownRows).map(row)}</ul>`,
            )}
          </section>`,
  };
};

const entry = (href: string, title: string, details: string) =>
  html`<li><a href=${href}>${title}</a><span class="soft">${details}</span></li>`;

const limit = shownRows + 1;

const toPack = (context: Context) =>
  task(context, {
    title: 'To pack',
    whenEmpty: 'Everything is packed.',
    read: async () => {
      const [{ data }, count] = await Promise.all([
        listOrders(context, { status: 'paid', limit: shownRows }),
        countToPack(context),
      ]);
      return { data, count };
    },
    lead: ({ count }) => html`<p class="count">
      <a href=${hrefOf('/orders', { status: 'paid' })}>${count} to pack</a>
      <span class="soft">Oldest first</span>
    </p>`,
    row: (order: Order) =>
      entry(
        hrefOf(`/orders/${order.id}`),
        order.number,
        `${order.expanded?.user?.name ?? ''} · ${piecesOf(order)} · ${formatAgo(order.created_at)}`,
      ),
  });

/** The API counts nothing: beyond a page there are “more than 100”, so that a shop with many costs no more. */
const countToPack = async ({ api, signal }: Context): Promise<string> => {
  const { data, pagination } = await api.send('GET /orders', {
    query: { status: 'paid', limit: 100 },
    signal,
  });
  return pagination.has_more ? `More than ${data.length}` : formatCount(data.length);
};

const openPayments = (context: Context, status: Payment['status'], title: string) =>
  task(context, {
    title,
    read: () => context.api.send('GET /payments', { query: { status, limit }, signal: context.signal }),
    row: ({ order_id: id, amount, created_at: at }: Payment) =>
      entry(hrefOf(`/orders/${id}`), formatMoney(amount), formatAgo(at)),
  });

const disputes = (context: Context) =>
  task(context, {
    title: 'Disputes to answer',
    read: () =>
      context.api.send('GET /disputes', {
        query: { status: 'needs_response', limit },
        signal: context.signal,
      }),
    row: ({ order_id: id, amount, evidence_due_at: due }: Dispute) =>
      entry(hrefOf(`/orders/${id}`), formatMoney(amount), due ? `answer until ${formatTime(due)}` : ''),
  });

/** Paid orders, of the hundred that wait longest, whose money was lost: they would be sent for nothing. */
const lostOrders = (context: Context) =>
  task(context, {
    title: 'Money lost, goods not sent',
    read: async () => {
      const query = { status: 'lost', limit: 1 } as const;
      const lost = await context.api.send('GET /disputes', { query, signal: context.signal });
      return { data: lost.data.length === 0 ? [] : await readLostOrders(context) };
    },
    row: (order: Order) =>
      entry(
        hrefOf(`/orders/${order.id}`),
        order.number,
        `${formatMoney(order.total)} · cancel it, or send it`,
      ),
  });

const readLostOrders = async (context: Context): Promise<readonly Order[]> => {
  const { data } = await listOrders(context, { status: 'paid', limit: 100 });
  const disputesOfEach = await Promise.all(data.map((order) => disputesOf(context, order)));
  return data.filter((order, index) => isLost(order, disputesOfEach[index] ?? []));
};

const webhooks = (context: Context) =>
  task(context, {
    title: 'Webhooks that do not arrive',
    read: async () => {
      const { data } = await context.api.send('GET /webhook-endpoints', {
        query: { limit: 100 },
        signal: context.signal,
      });
      return { data: data.filter((each) => each.failing_since !== null || isDisabledByItself(each)) };
    },
    row: ({ id, url, status }: WebhookEndpoint) =>
      html`<li><a href=${hrefOf(`/webhooks/${id}`)}>${url}</a>${statusChip(status)}</li>`,
  });

const isDisabledByItself = ({ disabled_reason: reason }: WebhookEndpoint): boolean =>
  reason === 'gone' || reason === 'failing';
