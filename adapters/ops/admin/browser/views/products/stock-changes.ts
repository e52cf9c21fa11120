import type { DataOf } from '../../../client/index.ts';
import { load, show } from '../../components/states.ts';
import { formatQuantity, formatTime } from '../../format.ts';
import { html, nothing } from '../../lit.ts';
import type { ListPage } from '../../resources.ts';
import type { Context } from '../../view.ts';

type StockChange = DataOf<'GET /stock-changes'>;

/** What has changed the stock of a product by hand, the newest first, some more on demand. */
export const stockChanges = (context: Context, productId: string) => {
  let limit = 10;
  const loading = load(context, async (signal) => {
    const query = { product_id: productId, sort: '-id' as const, limit };
    return context.api.send('GET /stock-changes', { query, signal });
  });
  const showMore = () => {
    limit = 100;
    loading.reload();
  };

  const template = ({ data, pagination }: ListPage<StockChange>) =>
    data.length === 0
      ? html`<p class="soft">Deliveries, counts and losses that you note appear here.</p>`
      : html`
          <ul class="changes">${data.map(entry)}</ul>
          ${pagination.next_cursor === null || limit === 100 ? nothing : html`<button type="button" class="link" @click=${showMore}>Show more</button>`}
        `;
  return {
    reload: loading.reload,
    template: () => html`<h3>Changed by hand</h3>${show(loading, template)}`,
  };
};

const entry = ({ change, reason, stock_after: after, created_at: at }: StockChange) => html`
  <li>
    <b class="number">${change > 0 ? '+' : '−'}${formatQuantity(Math.abs(change))}</b>
    <span>${reason ?? nothing} <span class="soft">${formatQuantity(after)} left · <time datetime=${at}>${formatTime(at)}</time></span></span>
  </li>
`;
