import type { Outcome } from '../../../../product-files/compare.ts';
import type { Plan } from '../../../../product-files/plan.ts';
import { inputOf } from '../../../elements.ts';
import { formatCount } from '../../../format.ts';
import { html, nothing } from '../../../lit.ts';
import type { Product } from '../../../resources.ts';
import type { Content } from '../../../view.ts';
import { emptiedTextOf } from '../emptied-text.ts';
import type { OmittedLine } from '../send.ts';
import type { ImportSettings } from '../settings.ts';
import type { Preview } from './preview.ts';

/** Counts what the lines that were compared with the shop will do, and names what was not compared. */
export const summary = ({ products, rejected }: Plan, { outcomes, omitted }: Preview): Content => {
  if (outcomes.size === 0) return nothing;
  const count = (kind: Outcome<Product>['kind']) =>
    [...outcomes.values()].filter((outcome) => outcome.kind === kind).length;
  const out = omitted.length + rejected.length;
  const counts: readonly (readonly [number, string])[] = [
    [count('new'), 'new'],
    [count('changed'), 'changed'],
    [count('unchanged'), 'unchanged'],
    [count('undecided'), 'undecided'],
    [out, out === 1 ? 'line left out' : 'lines left out'],
  ];
  const parts = counts.flatMap(([number, text]) => (number === 0 ? [] : `${formatCount(number)} ${text}`));
  const others = products.size - outcomes.size;
  return html`
    <p class="summary">${others > 0 ? `Of the ${formatCount(outcomes.size)} products compared with your shop so far: ` : nothing}<b>${parts.join(', ')}</b>${others > 0 ? '.' : nothing}</p>
    ${others > 0 ? html`<p class="soft">The other ${formatCount(others)} are compared when you look at them below, or while they are imported. A new product without a name or a price is left out then, too, and named in the report.</p>` : nothing}
  `;
};

/** Asks whether empty cells may change what is sold, as far as the shop is known; nothing where they change nothing. */
export const emptiedForm = (
  { outcomes }: Preview,
  { allowUncounted }: ImportSettings,
  change: (changes: Partial<ImportSettings>) => void,
): Content => {
  const text = emptiedTextOf([...outcomes.values()].map(({ emptied = [] }) => emptied));
  if (text === '' && !allowUncounted) return nothing;
  return html`
    <div class="apart emptied">
      <p class=${allowUncounted ? 'soft' : 'bad'}>Empty cells change what is sold${text === '' ? nothing : ` (${text})`}.</p>
      <label class="choice">
        <input type="checkbox" name="allow-uncounted" .checked=${allowUncounted} @change=${(event: Event) => change({ allowUncounted: inputOf(event).checked })} />
        <span>Import these lines, too<small>Without it they are left out.</small></span>
      </label>
    </div>
  `;
};

/** What to do when new products lack what no column is chosen for. */
export const nameAdvice = (rejected: readonly OmittedLine[], { chosen }: ImportSettings): Content => {
  const lacks = missingColumns(rejected, chosen);
  return lacks === undefined
    ? nothing
    : html`<p class="bad">New products need ${lacks}, and no column is chosen for it. Choose above which column that is.</p>`;
};

/** @returns what new products need and no column holds; undefined when the file itself has to be fixed */
export const missingColumns = (
  rejected: readonly OmittedLine[],
  chosen: ImportSettings['chosen'],
): string | undefined => {
  const needed = needs.filter(
    ([what, columns]) =>
      !columns.some((column) => chosen.includes(column)) &&
      rejected.some(({ reason }) => reason.startsWith('a new product needs') && reason.includes(what)),
  );
  return needed.length === 0 ? undefined : needed.map(([what]) => what).join(' and ');
};

/** What new products need, and the columns that hold it. */
const needs: readonly (readonly [what: string, columns: readonly string[]])[] = [
  ['a name', ['name']],
  ['a price', ['price', 'price_amount']],
];
