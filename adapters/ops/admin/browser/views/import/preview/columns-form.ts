// @ts-nocheck
import { radios } from '../../../components/form.ts';
import { html, nothing } from '../../../lit.ts';
import { fields, isNameByDescription, ownField, stockUseOf } from '../columns.js';
import { isCurrency } from '../products.js';
import { stockUses } from '../stock.ts';

const shownSamples = 3;

/** What few files have is last. */
const choices = [
  ...fields.filter(([field]) => field !== 'metadata'),
  [ownField, 'Own field'],
  ...fields.filter(([field]) => field === 'metadata'),
];

/** What becomes of a column that no field of a product is for. */
const aboutOwn = {
  [ownField]: 'Kept with the product, under the name of the column.',
  metadata: 'Several own fields of a product in one cell, as programs write them: {"material": "clay"}',
};

/** Which field each column of the file is. */
export const columnsTable = ({ header, rows }, { chosen }, change) => {
  const choose = (index, value) => {
    const field = value === '' ? undefined : value;
    // Two columns cannot be one field: the one chosen before gives it up.
    const next = chosen.map((each) => (each === field && field !== ownField ? undefined : each));
    next[index] = field;
    change({
      chosen: next,
      ...(next.indexOf('stock') !== chosen.indexOf('stock') && { stock: stockUseOf(header, next) }),
    });
  };
  return html`
    <table class="list plain">
      <caption class="hidden">Columns of the file</caption>
      <thead><tr><th scope="col">Column</th><th scope="col">For example</th><th scope="col">Is</th></tr></thead>
      <tbody>
        ${header.map(
          (name, index) => html`<tr>
            <th scope="row">${name || `Column ${index + 1}`}</th>
            <td data-label="For example">${samplesOf(rows, index)}</td>
            <td data-label="Is">
              <select aria-label="What ${name || `column ${index + 1}`} is" @change=${({ target }) => choose(index, target.value)}>
                <option value="" .selected=${chosen[index] === undefined}>Left out</option>
                ${choices.map(([field, label]) => html`<option value=${field} .selected=${chosen[index] === field}>${label}</option>`)}
              </select>
              ${aboutOwn[chosen[index]] === undefined ? nothing : html`<small class="soft">${aboutOwn[chosen[index]]}</small>`}
              ${chosen[index] === 'name' && isNameByDescription(name) ? html`<small class="soft">Taken as the name, since no other column is.</small>` : nothing}
            </td>
          </tr>`,
        )}
      </tbody>
    </table>
  `;
};

const samplesOf = (rows, index) => {
  const samples = [];
  for (const { cells } of rows) {
    const cell = (cells[index] ?? '').trim();
    if (cell !== '') samples.push(cell.length > 40 ? `${cell.slice(0, 40)} …` : cell);
    if (samples.length === shownSamples) break;
  }
  return samples.length === 0 ? '—' : samples.join(' · ');
};

/** How prices and numbers are written. */
export const numbersForm = ({ currency, sign, chosen }, change) => html`
  <div class="beside apart">
    ${
      chosen.includes('currency') || !(chosen.includes('price') || chosen.includes('price_amount'))
        ? nothing
        : html`<label class="field"><span>Currency of new products</span>
            <input .value=${currency} maxlength="3" autocomplete="off" aria-invalid=${!isCurrency(currency)} @input=${({ target }) => change({ currency: target.value.trim().toUpperCase() })} />
            <small>Three letters, such as EUR. Others keep theirs.</small></label>`
    }
    <label class="field"><span>Numbers are written</span>
      <select @change=${({ target }) => change({ sign: target.value || undefined })}>
        <option value="" ?selected=${sign === undefined}>Recognize by itself</option>
        <option value="dot" ?selected=${sign === 'dot'}>1,234.56</option>
        <option value="comma" ?selected=${sign === 'comma'}>1.234,56</option>
      </select></label>
  </div>
`;

/** What the numbers of the column for the stock do. Which one is meant cannot be seen from a header such as Quantity. */
export const stockForm = ({ header }, { chosen, stock }, change) =>
  chosen.includes('stock')
    ? html`<div class="apart stock-use">
        ${radios(`What “${stockHeader(header, chosen)}” does`, 'stock-use', stockUses, stock, (use) => change({ stock: use }))}
        ${stock === undefined ? html`<p class="bad">Choose one: the column can mean what you have or what has arrived.</p>` : nothing}
      </div>`
    : nothing;

export const stockHeader = (header, chosen) =>
  header[chosen.indexOf('stock')].trim() || 'the column for the stock';
