import type { QueryOf } from '../../../client/index.ts';
import { filterLinks, statusChip } from '../../components/chips.ts';
import { onFileDrop } from '../../components/file-drop.ts';
import { inlineEdits } from '../../components/inline-edit.ts';
import { onEvents } from '../../components/live.ts';
import { pager } from '../../components/pager.ts';
import { searchForm } from '../../components/search.ts';
import { emptyState, load, show } from '../../components/states.ts';
import { errorOf } from '../../errors.ts';
import { html, nothing, repeat } from '../../lit.ts';
import type { ListPage, Product } from '../../resources.ts';
import { hrefOf } from '../../router.ts';
import type { Context, View } from '../../view.ts';
import { importFile } from '../import/dropped.ts';
import { lowStockBound } from '../low-stock.ts';
import { priceEdit, stockEdit } from './cells.ts';
import type { SeenProduct } from './changes.ts';

type Status = Product['status'];

const statuses: readonly (readonly [choice: Status | 'low' | undefined, text: string])[] = [
  [undefined, 'All'],
  ['active', 'Active'],
  ['draft', 'Draft'],
  ['archived', 'Archived'],
  ['low', 'Low in stock'],
];

/** The newest products first, whose price and stock are edited where they stand. */
export const productsView = (context: Context): View => {
  const { query } = context;
  const [text, tag, bound, cursor] = ['q', 'tag', 'stock_below', 'cursor'].map(
    (name) => query.get(name) ?? undefined,
  );
  const choice = statuses.find(([each]) => each === query.get('status'))?.[0];
  const status = choice === 'low' ? undefined : choice;
  const below = bound === undefined ? undefined : Number(bound);
  const filters = {
    ...(status !== undefined && { status }),
    ...(text !== undefined && { q: text }),
    ...(tag !== undefined && { tag }),
    ...(below !== undefined && { stock_below: below }),
  };
  const products = load(context, () => listProducts(context, filters, cursor));
  const editable = inlineEdits<SeenProduct>(context);
  onEvents(context, { type: 'product.*' }, () => products.reload());

  onFileDrop(context, importFile);

  const replace = (product: Product) => {
    const { value } = products;
    if (value === undefined) return;
    const data = value.data.map((each) => (each.id === product.id ? product : each));
    products.replace({ ...value, data });
  };

  const row = (product: Product) => {
    const { id, name, sku, tags, stock, status: current } = product;
    return html`<tr>
      <th scope="row">
        <a class="row long" href=${hrefOf(`/products/${id}`)}>${name}</a>
        ${tags.length === 0 ? nothing : html`<span class="tags">${tags.map((each) => html`<a href=${hrefOf('/products', { tag: each })}>${each}</a>`)}</span>`}
      </th>
      <td data-label="Article number (SKU)">${sku ?? '—'}</td>
      <td data-label="Price" class="number editable">${editable(priceEdit(context, product, replace))}</td>
      <td data-label="Stock" class="number editable ${stock === 0 ? 'bad' : ''}">${editable(stockEdit(context, product, replace))}</td>
      <td data-label="Status">${statusChip(current)}</td>
    </tr>`;
  };

  const isFiltered = Object.keys(filters).length > 0;
  const table = ({ data, pagination }: ListPage<Product>) =>
    data.length === 0
      ? isFiltered
        ? below === undefined
          ? emptyState(
              'Nothing found',
              'Search by how words begin, in names, article numbers, descriptions and tags.',
            )
          : emptyState('Nothing is low', `Everything that is counted has ${below} or more in stock.`)
        : emptyState('No products yet', 'Add the first one, or import a list from a spreadsheet.')
      : html`
          <table class="list">
            <caption class="hidden">Products, the newest first</caption>
            <thead>
              <tr>
                <th scope="col">Product</th><th scope="col">Article number (SKU)</th>
                <th scope="col" class="number">Price</th><th scope="col" class="number">Stock</th><th scope="col">Status</th>
              </tr>
            </thead>
            <tbody>${repeat(data, ({ id }) => id, row)}</tbody>
          </table>
          ${pager(pagination, cursor, (next) => hrefOf('/products', { ...filters, cursor: next }))}
        `;

  const isFound = [text, tag, below].some((value) => value !== undefined);

  return {
    title: 'Products',
    hasUnsaved: editable.hasUnsaved,
    template: () => html`
      <div class="tools">
        ${searchForm({
          label: 'Search products by name, article number, description or tag',
          placeholder: 'Name, article number or tag',
          text,
          hrefOf: (wanted) => hrefOf('/products', { status, tag, stock_below: below, q: wanted }),
        })}
        <a class="button" href="#/products/import">Import a list</a>
        <a class="button primary" href="#/products/new">Add a product</a>
      </div>
      ${filterLinks('Status', statuses, below === undefined ? status : 'low', (value) => hrefOf('/products', { ...statusOf(value), q: text, tag }))}
      ${isFound ? html`<p>Found ${foundFor({ text, tag, below })}. <a href="#/products">Show all products</a></p>` : nothing}
      ${show(products, table)}
    `,
  };
};

interface Found {
  readonly text: string | undefined;
  readonly tag: string | undefined;
  readonly below: number | undefined;
}

/** The query, in words that have single spaces between them. */
const foundFor = ({ text, tag, below }: Found) => {
  const parts = [
    text !== undefined && html`for <b>${text}</b>`,
    tag !== undefined && html`${text === undefined ? 'for ' : nothing}the tag <b>${tag}</b>`,
    below !== undefined && html`with fewer than <b>${below}</b> in stock`,
  ].filter(Boolean);
  return parts.map((part, index) => html`${index === 0 ? nothing : ' '}${part}`);
};

/** What is low is searched for among the products that can be ordered. */
const statusOf = (choice: Status | 'low' | undefined) =>
  choice === 'low' ? { status: 'active', stock_below: lowStockBound() } : { status: choice };

const listProducts = async (
  { api, signal }: Context,
  filters: QueryOf<'GET /products'>,
  cursor: string | undefined,
): Promise<ListPage<Product>> => {
  try {
    const query = { sort: '-id' as const, limit: 25, ...filters, ...(cursor && { cursor }) };
    return await api.send('GET /products', { query, signal });
  } catch (error) {
    // Signs alone are no words, and no product has them.
    const { code, details = [] } = errorOf(error);
    if (code !== 'VALIDATION_ERROR' || !details.some(({ field }) => field === 'q' || field === 'tag'))
      throw error;
    return { data: [], pagination: { next_cursor: null } };
  }
};
