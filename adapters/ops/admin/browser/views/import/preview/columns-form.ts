import { columns, metadataColumn, metadataPrefix } from '../../../../product-files/columns.ts';
import { isCurrency } from '../../../../product-files/currency.ts';
import {
  type ColumnGuess,
  chooseColumn,
  isShortDescription,
  isStockCount,
} from '../../../../product-files/guess-columns.ts';
import type { DecimalSign } from '../../../../product-files/numbers.ts';
import type { StockUse } from '../../../../product-files/plan.ts';
import { radios } from '../../../components/form.ts';
import { inputOf, selectOf } from '../../../elements.ts';
import { html, nothing, type TemplateResult } from '../../../lit.ts';
import type { Content } from '../../../view.ts';
import type { ImportFile } from '../file.ts';
import type { ImportSettings } from '../settings.ts';
import { stockUses } from '../stock.ts';

type Change = (changes: Partial<ImportSettings>) => void;

const shownSamples = 3;

/** The choice of a column whose texts are kept under its own name. */
const ownField = 'own';

/** What few files have is last. */
const choices: readonly (readonly [value: string, label: string])[] = [
  ...columns.filter(({ name }) => name !== 'metadata').map(({ name, label }) => [name, label] as const),
  [ownField, 'Own field'],
  ...columns.filter(({ name }) => name === 'metadata').map(({ name, label }) => [name, label] as const),
];

const choiceOf = (column: ColumnGuess): string | undefined =>
  column?.startsWith(metadataPrefix) ? ownField : column;

/** What becomes of a column that no field of a product is for. */
const aboutOwn: Readonly<Record<string, string>> = {
  [ownField]: 'Kept with the product, under the name of the column.',
  metadata: 'Several own fields of a product in one cell, as programs write them: {"material": "clay"}',
};

/** @returns what the column for the stock does; undefined when its header does not determine whether it replaces or is added */
export const stockUseOf = (header: readonly string[], chosen: ImportSettings['chosen']): StockUse =>
  isStockCount(header[chosen.indexOf('stock')] ?? '') ? 'replace' : undefined;

/** Which field each column of the file is. */
export const columnsTable = (
  { header, rows }: ImportFile,
  { chosen }: ImportSettings,
  change: Change,
): TemplateResult => {
  const choose = (index: number, value: string): void => {
    const own = value === ownField ? metadataColumn(header[index] ?? '') : value;
    const next = chooseColumn(chosen, index, own === '' ? undefined : own);
    const isOtherStock = next.indexOf('stock') !== chosen.indexOf('stock');
    change({ chosen: next, ...(isOtherStock && { stock: stockUseOf(header, next) }) });
  };
  return html`
    <table class="list plain">
      <caption class="hidden">Columns of the file</caption>
      <thead><tr><th scope="col">Column</th><th scope="col">For example</th><th scope="col">Is</th></tr></thead>
      <tbody>
        ${header.map((name, index) => {
          const current = choiceOf(chosen[index]);
          const about = aboutOwn[current ?? ''];
          return html`<tr>
            <th scope="row">${name || `Column ${index + 1}`}</th>
            <td data-label="For example">${samplesOf(rows, index)}</td>
            <td data-label="Is">
              <select aria-label="What ${name || `column ${index + 1}`} is" @change=${(event: Event) => choose(index, selectOf(event).value)}>
                <option value="" .selected=${current === undefined}>Left out</option>
                ${choices.map(([value, label]) => html`<option value=${value} .selected=${current === value}>${label}</option>`)}
              </select>
              ${about === undefined ? nothing : html`<small class="soft">${about}</small>`}
              ${current === 'name' && isShortDescription(name) ? html`<small class="soft">Taken as the name, since no other column is.</small>` : nothing}
            </td>
          </tr>`;
        })}
      </tbody>
    </table>
  `;
};

const samplesOf = (rows: ImportFile['rows'], index: number): string => {
  const samples: string[] = [];
  for (const { cells } of rows) {
    const cell = (cells[index] ?? '').trim();
    if (cell !== '') samples.push(cell.length > 40 ? `${cell.slice(0, 40)} …` : cell);
    if (samples.length === shownSamples) break;
  }
  return samples.length === 0 ? '—' : samples.join(' · ');
};

const signs: readonly (readonly [DecimalSign | undefined, string])[] = [
  [undefined, 'Recognize by itself'],
  ['dot', '1,234.56'],
  ['comma', '1.234,56'],
];

/** How prices and numbers are written. */
export const numbersForm = (
  { currency, sign, chosen }: ImportSettings,
  change: Change,
): TemplateResult => html`
  <div class="beside apart">
    ${
      chosen.includes('price_currency') || !(chosen.includes('price') || chosen.includes('price_amount'))
        ? nothing
        : html`<label class="field"><span>Currency of new products</span>
            <input .value=${currency} maxlength="3" autocomplete="off" aria-invalid=${!isCurrency(currency)} @input=${(event: Event) => change({ currency: inputOf(event).value.trim().toUpperCase() })} />
            <small>Three letters, such as EUR. Others keep theirs.</small></label>`
    }
    <label class="field"><span>Numbers are written</span>
      <select @change=${(event: Event) => change({ sign: signs[selectOf(event).selectedIndex]?.[0] })}>
        ${signs.map(([value, label]) => html`<option value=${value ?? ''} ?selected=${sign === value}>${label}</option>`)}
      </select></label>
  </div>
`;

/** What the numbers of the column for the stock do. Which one is meant cannot be seen from a header such as Quantity. */
export const stockForm = (
  { header }: ImportFile,
  { chosen, stock }: ImportSettings,
  change: Change,
): Content =>
  chosen.includes('stock')
    ? html`<div class="apart stock-use">
        ${radios(`What “${stockHeader(header, chosen)}” does`, 'stock-use', stockUses, stock, (use) => change({ stock: use }))}
        ${stock === undefined ? html`<p class="bad">Choose one: the column can mean what you have or what has arrived.</p>` : nothing}
      </div>`
    : nothing;

export const stockHeader = (header: readonly string[], chosen: ImportSettings['chosen']): string =>
  header[chosen.indexOf('stock')]?.trim() || 'the column for the stock';
