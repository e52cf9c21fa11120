import { columns } from '../../../../product-files/columns.ts';
import type { Outcome } from '../../../../product-files/compare.ts';
import type { Plan, PlannedProduct } from '../../../../product-files/plan.ts';
import type { ProductFields, ProductPrice } from '../../../../product-files/product.ts';
import { formatCount, formatMoney, formatQuantity, toWords } from '../../../format.ts';
import { html, nothing, type TemplateResult } from '../../../lit.ts';
import type { Product } from '../../../resources.ts';
import type { Content } from '../../../view.ts';
import type { ImportSettings } from '../settings.ts';
import type { Preview } from './preview.ts';

const kinds: Readonly<Record<Outcome<Product>['kind'], readonly [tone: string, word: string]>> = {
  new: ['good', 'New'],
  changed: ['waits', 'Changed'],
  unchanged: ['plain', 'Unchanged'],
  undecided: ['plain', 'Undecided'],
  rejected: ['bad', 'Left out'],
};

/** What becomes of each product of one page of the file. */
export const productsTable = (
  { products }: Plan,
  preview: Preview,
  settings: ImportSettings,
): TemplateResult => {
  const { shown, page, pages, turn, outcomes } = preview;
  const rows = shown.map((product): Row => {
    const outcome = outcomes.get(product.sku);
    return { product, outcome, others: othersOf(outcome?.changes ?? product.fields, outcome?.existing) };
  });
  const hasOthers = rows.some(({ others }) => others.length > 0);
  return html`
    <table class="list plain compared">
      <caption class="hidden">Products of the file</caption>
      <thead>
        <tr><th scope="col">Product</th><th scope="col">Article number</th><th scope="col">Will be</th><th scope="col" class="number">Price</th><th scope="col" class="number">Stock</th>${hasOthers ? html`<th scope="col">Also</th>` : nothing}</tr>
      </thead>
      <tbody>${rows.map((row) => productRow(row, settings, hasOthers))}</tbody>
    </table>
    ${
      pages > 1
        ? html`<nav class="pager" aria-label="Products of the file">
          <span class="soft">Page ${formatCount(page + 1)} of ${formatCount(pages)}, ${formatCount(products.size)} products</span>
          <button type="button" ?disabled=${page === 0} @click=${() => turn(page - 1)}>Previous</button>
          <button type="button" ?disabled=${page + 1 === pages} @click=${() => turn(page + 1)}>Next</button>
        </nav>`
        : nothing
    }
  `;
};

interface Row {
  readonly product: PlannedProduct;
  /** Undefined while it is not compared. */
  readonly outcome: Outcome<Product> | undefined;
  /** What else changes. */
  readonly others: readonly TemplateResult[];
}

const productRow = (
  { product, outcome, others }: Row,
  settings: ImportSettings,
  hasOthers: boolean,
): TemplateResult => {
  const { sku, fields: own } = product;
  const existing = outcome?.existing;
  const changes = outcome?.changes ?? own;
  const [tone, word] = outcome === undefined ? ['plain', '…'] : kinds[outcome.kind];
  const reason = outcome?.kind === 'rejected' ? outcome.reason : undefined;
  return html`<tr>
    <th scope="row">${changedTo(existing?.name, changes.name) ?? html`<span class="soft">No name</span>`}</th>
    <td data-label="Article number">${sku}</td>
    <td data-label="Will be"><span class="chip ${tone}">${word}</span>${reason ? html` <small class="soft">${reason}</small>` : nothing}</td>
    <td data-label="Price" class="number">${changedTo(priceText(existing?.price), priceText(changes.price)) ?? '—'}</td>
    <td data-label="Stock" class="number">${stockCell(product, outcome, settings)}</td>
    ${hasOthers ? html`<td data-label="Also" class="also">${others}</td>` : nothing}
  </tr>`;
};

/** The old value and the new one, or the one that stays. */
const changedTo = (before: string | undefined, after: string | undefined): Content | undefined => {
  if (before === undefined || after === undefined || before === after) return after ?? before;
  return html`<span class="soft">${before}</span> → <b>${after}</b>`;
};

const priceText = ({ amount, currency }: ProductPrice = {}): string | undefined =>
  amount === undefined || currency === undefined ? undefined : formatMoney({ amount, currency });

const stockCell = (
  { added, undecided, fields: { stock } }: PlannedProduct,
  outcome: Outcome<Product> | undefined,
  { stock: use }: ImportSettings,
): TemplateResult => {
  const { kind, existing, changes, isAddedBefore } = outcome ?? {};
  const [before, after] = [existing?.stock, kind === 'new' ? (added ?? stock) : changes?.stock];
  const notes = [
    ...(undecided ? [`${undecided} in the file`] : []),
    ...(after !== undefined && kind === 'changed' && use === 'replace' ? ['replaced'] : []),
    ...(added !== undefined && added > 0 && kind === 'changed' && !isAddedBefore
      ? [`${formatQuantity(added)} added`]
      : []),
    ...(isAddedBefore ? ['added before, not again'] : []),
    ...(after !== undefined && existing && (before === null || after === null) ? ['not in the history'] : []),
  ];
  return html`${changedTo(stockText(before), stockText(after)) ?? '—'}${notes.length > 0 ? html` <small class="soft">${notes.join(', ')}</small>` : nothing}`;
};

const stockText = (stock: number | null | undefined): string | undefined =>
  stock === undefined ? undefined : stock === null ? 'Not counted' : formatQuantity(stock);

const labels = new Map(columns.map(({ name, label }) => [name, label]));
const shownApart = ['name', 'price', 'stock'];

/** What else changes, each with its name. */
const othersOf = (
  { metadata = {}, ...changes }: ProductFields,
  existing: Product | undefined,
): readonly TemplateResult[] => {
  const stored = new Map<string, unknown>(Object.entries(existing ?? {}));
  const texts = new Map(Object.entries(existing?.metadata ?? {}));
  const fields = Object.entries(changes)
    .filter(([name]) => !shownApart.includes(name))
    .map(
      ([name, value]) =>
        [labels.get(name) ?? name, textOf(stored.get(name), name), textOf(value, name)] as const,
    );
  const own = Object.entries(metadata).map(
    ([name, value]) => [name, textOf(texts.get(name), name), textOf(value, name)] as const,
  );
  return [...fields, ...own]
    .filter(([, before, after]) => existing !== undefined || after !== empty || before !== empty)
    .map(
      ([label, before, after]) =>
        html`<div><span class="soft">${label}:</span> ${existing === undefined ? after : changedTo(before, after)}</div>`,
    );
};

const maxLength = 60;

const empty = 'empty';

const textOf = (value: unknown, name: string): string => {
  const whole = Array.isArray(value) ? value.join(', ') : `${value ?? ''}`;
  if (whole === '') return empty;
  const shown = name === 'status' ? toWords(whole) : whole;
  return shown.length > maxLength ? `${shown.slice(0, maxLength)} …` : shown;
};
