import { isCurrency } from '../../../../product-files/currency.ts';
import type { Plan } from '../../../../product-files/plan.ts';
import { errorBox } from '../../../components/states.ts';
import { formatCount } from '../../../format.ts';
import { html, nothing, type TemplateResult } from '../../../lit.ts';
import type { ImportFile } from '../file.ts';
import { repeatedText } from '../repeated.ts';
import { listedLines, rejectedLines } from '../report.ts';
import type { ImportSettings } from '../settings.ts';
import { columnsTable, numbersForm, stockForm, stockHeader } from './columns-form.ts';
import type { Preview } from './preview.ts';
import { productsTable } from './products-table.ts';
import { emptiedForm, nameAdvice, summary } from './summary.ts';

interface PreviewStep {
  readonly file: ImportFile;
  readonly plan: Plan;
  readonly preview: Preview;
  /** Whether the plan is that of the settings. */
  readonly isPlanned: boolean;
  readonly settings: ImportSettings;
  readonly change: (changes: Partial<ImportSettings>) => void;
  readonly send: () => void;
  /** Goes back to choose another file. */
  readonly other: () => void;
}

/** Which column is what, and what becomes of the rows. */
export const previewStep = (step: PreviewStep): TemplateResult => {
  const { file, plan, preview, settings, change, send, other } = step;
  const { repeated, rejected, doubtful: doubted } = plan;
  const { toSend, omitted, shortened, lookup } = preview;
  const hindrance = hindranceOf(step);
  const isReady = hindrance === undefined && toSend.length > 0;
  const errors = [...rejected, ...omitted].sort((one, another) => one.line - another.line);
  const doubtful = [...doubted, ...shortened].sort((one, another) => one.line - another.line);
  const hasSku = settings.chosen.includes('sku');
  return html`
    <p>
      <b>${file.name}</b>: ${formatCount(file.rows.length)} ${file.rows.length === 1 ? 'row' : 'rows'}.
      <button type="button" class="link" @click=${other}>Choose another file</button>
    </p>
    ${file.notice ? html`<p class="chip waits">${file.notice}</p>` : nothing}
    <section class="card">
      <h2>What the columns are</h2>
      <p class="soft">A product whose article number you have already is changed, any other is added. What a file leaves out stays as it is; an empty cell empties its field. You are asked where that changes what is sold.</p>
      ${columnsTable(file, settings, change)} ${stockForm(file, settings, change)} ${numbersForm(settings, change)}
    </section>
    <section class="card">
      <h2>What will be imported</h2>
      ${hasSku ? nothing : html`<p class="bad">Choose the column that holds the article number (SKU). Products are recognized by it.</p>`}
      ${lookup.error ? errorBox(lookup.error, preview.search) : nothing}
      ${plan.products.size === 0 ? nothing : html`${summary(plan, preview)} ${productsTable(plan, preview, settings)}`}
      ${emptiedForm(preview, settings, change)}
      ${repeated.length > 0 ? html`<p>${repeatedText(repeated, settings.stock)}</p>` : nothing}
      ${hasSku ? listedLines('doubtful', doubtful, 'Look at these lines before you import them:') : nothing}
      ${nameAdvice(omitted, settings)}
      ${hasSku ? rejectedLines(errors, 'These lines have errors and are left out:') : nothing}
      ${hindrance ? html`<p id="hindrance" class="hindrance">${hindrance}</p>` : nothing}
      <div class="buttons">
        <button type="button" class="primary" ?disabled=${!isReady} aria-describedby=${hindrance ? 'hindrance' : nothing} @click=${send}>Import ${formatCount(toSend.length)} ${toSend.length === 1 ? 'product' : 'products'}</button>
      </div>
    </section>
  `;
};

/** Why the import cannot begin yet, and what to do. */
const hindranceOf = ({
  file: { header },
  settings: { chosen, stock, currency },
  isPlanned,
  preview: { lookup },
}: PreviewStep): string | undefined => {
  if (chosen.includes('stock') && stock === undefined)
    return `Say above what “${stockHeader(header, chosen)}” does: replace the stock, or be added to it.`;
  if (!isCurrency(currency)) return 'Type the currency of new products above, such as EUR.';
  if (!isPlanned) return 'Reading the file …';
  return lookup.isSearching ? 'Comparing with your products …' : undefined;
};
