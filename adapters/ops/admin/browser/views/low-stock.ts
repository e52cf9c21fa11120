import { type Loading, load, show } from '../components/states.ts';
import { inputOf } from '../elements.ts';
import { formatQuantity, parseThousandths } from '../format.ts';
import { keep, kept } from '../kept.ts';
import { html, live, nothing } from '../lit.ts';
import type { Product } from '../resources.ts';
import { hrefOf } from '../router.ts';
import type { Content, Context } from '../view.ts';

/* The number below which a stock is low. Each tab remembers its own. */
const name = 'portico-low-stock';
const defaultBound = 5;
const maxBound = 1_000_000;

/** One of what there is to do. */
export interface Task {
  readonly loading: Pick<Loading<unknown>, 'reload'>;
  readonly template: () => Content;
}

export const lowStockBound = (): number => Number(kept(name) ?? defaultBound);

/** The products that can be ordered and have less in stock than a number that the reader chooses. */
export const lowStock = (context: Context, shownRows: number): Task => {
  const { api, signal, update } = context;
  let text = `${lowStockBound()}`;
  let isWrong = false;
  const query = () => ({ status: 'active', stock_below: lowStockBound() }) as const;
  const loading = load(context, async () => {
    const { data } = await api.send('GET /products', { query: { ...query(), limit: shownRows + 1 }, signal });
    return data;
  });

  const choose = (event: SubmitEvent) => {
    event.preventDefault();
    const bound = parseThousandths(text);
    isWrong = bound === undefined || bound > maxBound * 1000;
    if (bound === undefined || isWrong) {
      update();
      return;
    }
    keep(name, `${bound / 1000}`);
    loading.reload();
  };

  const form = () => html`
    <form class="bound" @submit=${choose}>
      <label for="low-stock">Fewer than</label>
      <input
        id="low-stock"
        inputmode="decimal"
        autocomplete="off"
        maxlength="12"
        .value=${live(text)}
        aria-invalid=${isWrong}
        aria-describedby="low-stock-error"
        @input=${(event: Event) => {
          text = inputOf(event).value;
        }}
      />
      <button>Show</button>
      <span id="low-stock-error" class="wrong" role="alert">${isWrong ? `Type a number from 0 to ${formatQuantity(maxBound)}.` : nothing}</span>
    </form>
  `;

  const list = (products: readonly Product[]) =>
    products.length === 0
      ? html`<p class="soft">Nothing is low.</p>`
      : html`
          <ul class="entries">
            ${products.slice(0, shownRows).map(
              ({ id, name: product, stock }) => html`<li>
                <a href=${hrefOf(`/products/${id}`)}>${product}</a>
                <span class=${stock === 0 ? 'wrong' : 'soft'}>${stock === 0 ? 'Sold out' : `${formatQuantity(stock ?? 0)} left`}</span>
              </li>`,
            )}
          </ul>
          <p><a href=${hrefOf('/products', query())}>${products.length > shownRows ? 'Show all and restock' : 'Restock'}</a></p>
        `;

  return {
    loading,
    template: () =>
      html`<section class="card"><h2>Low in stock</h2>${form()} ${show(loading, list)}</section>`,
  };
};
