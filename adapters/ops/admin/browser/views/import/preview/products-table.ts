// @ts-nocheck
import { formatCount, formatMoney, formatQuantity, toWords } from '../../../format.ts';
import { html, nothing } from '../../../lit.ts';
import { fields } from '../columns.js';

const kinds = {
  new: ['good', 'New'],
  changed: ['waits', 'Changed'],
  unchanged: ['plain', 'Unchanged'],
  undecided: ['plain', 'Undecided'],
  rejected: ['bad', 'Left out'],
};

/** What becomes of each product of one page of the file. */
export const productsTable = ({ products }, preview, settings) => {
  const { shown, page, pages, turn, outcomes } = preview;
  const rows = shown.map((product) => {
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

const productRow = ({ product, outcome, others }, settings, hasOthers) => {
  const { sku, fields: own } = product;
  const existing = outcome?.existing;
  const changes = outcome?.changes ?? own;
  const [tone, word] = kinds[outcome?.kind] ?? ['plain', '…'];
  return html`<tr>
    <th scope="row">${changedTo(existing?.name, changes.name) ?? html`<span class="soft">No name</span>`}</th>
    <td data-label="Article number">${sku}</td>
    <td data-label="Will be"><span class="chip ${tone}">${word}</span>${outcome?.reason ? html` <small class="soft">${outcome.reason}</small>` : nothing}</td>
    <td data-label="Price" class="number">${changedTo(existing && formatMoney(existing.price), changes.price && formatMoney(changes.price)) ?? '—'}</td>
    <td data-label="Stock" class="number">${stockCell(product, outcome, settings)}</td>
    ${hasOthers ? html`<td data-label="Also" class="also">${others}</td>` : nothing}
  </tr>`;
};

/** The old value and the new one, or the one that stays. */
const changedTo = (before, after) => {
  if (before === undefined || after === undefined || before === after) return after ?? before;
  return html`<span class="soft">${before}</span> → <b>${after}</b>`;
};

const stockCell = ({ added, undecided, fields: { stock } }, outcome, { stock: use }) => {
  const { kind, existing, changes, isAddedBefore } = outcome ?? {};
  const [before, after] = [existing?.stock, kind === 'new' ? (added ?? stock) : changes?.stock];
  const notes = [
    ...(undecided ? [`${undecided} in the file`] : []),
    ...(after !== undefined && kind === 'changed' && use === 'replace' ? ['replaced'] : []),
    ...(added > 0 && kind === 'changed' && !isAddedBefore ? [`${formatQuantity(added)} added`] : []),
    ...(isAddedBefore ? ['added before, not again'] : []),
    ...(after !== undefined && existing && (before === null || after === null) ? ['not in the history'] : []),
  ];
  return html`${changedTo(stockText(before), stockText(after)) ?? '—'}${notes.length > 0 ? html` <small class="soft">${notes.join(', ')}</small>` : nothing}`;
};

const stockText = (stock) =>
  stock === undefined ? undefined : stock === null ? 'Not counted' : formatQuantity(stock);

const labels = Object.fromEntries(fields);
const shownApart = ['name', 'price', 'stock'];

/** What else changes, each with its name. */
const othersOf = ({ metadata = {}, ...changes }, existing) => {
  const others = Object.entries(changes).filter(([name]) => !shownApart.includes(name));
  const texts = [
    ...others.map(([name, value]) => [labels[name] ?? name, existing?.[name], value, name]),
    ...Object.entries(metadata).map(([name, value]) => [name, existing?.metadata[name], value, name]),
  ].filter(([, before, value]) => existing !== undefined || !isEmpty(value) || !isEmpty(before));
  return texts.map(
    ([label, before, value, name]) =>
      html`<div><span class="soft">${label}:</span> ${existing === undefined ? textOf(value, name) : changedTo(textOf(before, name), textOf(value, name))}</div>`,
  );
};

const isEmpty = (value) => value === null || value === undefined || value.length === 0;

const maxLength = 60;

const textOf = (value, name) => {
  if (isEmpty(value)) return 'empty';
  const whole = Array.isArray(value) ? value.join(', ') : name === 'status' ? toWords(value) : `${value}`;
  return whole.length > maxLength ? `${whole.slice(0, maxLength)} …` : whole;
};
