import { isAmbiguity } from '../../../product-files/numbers.ts';
import type { PlannedProduct } from '../../../product-files/plan.ts';
import { errorBox } from '../../components/states.ts';
import { as } from '../../elements.ts';
import { formatCount } from '../../format.ts';
import { html, nothing, type TemplateResult } from '../../lit.ts';
import type { Content } from '../../view.ts';
import { emptiedTextOf } from './emptied-text.ts';
import type { ImportFile } from './file.ts';
import { missingColumns } from './preview/summary.ts';
import type { ImportCounts, OmittedLine } from './send.ts';
import type { ImportSettings } from './settings.ts';

/** A browser would need seconds to draw a longer list. */
const shownLines = 1_000;

/** What is sent of a file, and what was left out before. */
export interface Sending {
  readonly products: readonly PlannedProduct[];
  readonly rejected: readonly OmittedLine[];
}

interface ReportOptions {
  readonly file: ImportFile;
  readonly sending: Sending;
  /** Undefined before anything is sent. */
  readonly counts: ImportCounts | undefined;
  readonly error: unknown;
  /** Whether a person has stopped it. */
  readonly isStopped: boolean;
  readonly settings: ImportSettings;
  readonly other: () => void;
  readonly back: () => void;
  readonly again: () => void;
  readonly allow: () => void;
}

/** What became of a file. */
export const report = (options: ReportOptions): TemplateResult => {
  const { file, sending, counts, error, isStopped, settings, other, back, again, allow } = options;
  const {
    done = 0,
    added = 0,
    updated = 0,
    unchanged = 0,
    notAgain = 0,
    emptied = [],
    rejected = [],
  } = counts ?? {};
  const left = sending.products.length - done;
  const all = [...sending.rejected, ...rejected].sort((one, another) => one.line - another.line);
  const shownCounts: readonly (readonly [string, number])[] = [
    ['Added', added],
    ['Updated', updated],
    ['Unchanged', unchanged],
    ['With errors', all.length],
    ...(left > 0 ? ([['Not sent', left]] as const) : []),
  ];
  const wouldBeEmptied = emptiedTextOf(all.map(({ emptied: fields = [] }) => fields));
  const lacks = missingColumns(all, settings.chosen);
  return html`
    <section class="card">
      <h2 tabindex="-1">${left > 0 ? 'Stopped' : 'Done'}: ${file.name}</h2>
      ${error ? errorBox(error) : nothing}
      <dl class="counts">
        ${shownCounts.map(([label, count]) => html`<div><dt>${label}</dt><dd>${formatCount(count)}</dd></div>`)}
      </dl>
      ${left > 0 ? html`<p>${isStopped ? 'You have stopped it.' : 'It could not go on.'} Nothing is done twice when you import the same file again. <button type="button" class="link" @click=${again}>Go on</button></p>` : nothing}
      ${notAgain > 0 ? html`<p>This file was added to the stock of ${notAgain === 1 ? '1 product' : `${formatCount(notAgain)} products`} before, and was not added again. If the same has arrived once more, change something in the file, such as a remark.</p>` : nothing}
      ${emptied.length > 0 ? html`<p>By empty cells: ${emptiedTextOf(emptied)}.</p>` : nothing}
      ${wouldBeEmptied === '' ? nothing : html`<p class="bad">Lines were left out whose empty cells would change what is sold (${wouldBeEmptied}). <button type="button" class="link" @click=${allow}>Import them, too</button></p>`}
      ${all.some(({ reason }) => isAmbiguity(reason)) ? html`<p class="bad">Some numbers can mean two. <button type="button" class="link" @click=${back}>Choose how numbers are written</button></p>` : nothing}
      ${
        lacks
          ? html`<p class="bad">New products need ${lacks}, and no column was chosen for it. <button type="button" class="link" @click=${back}>Choose the column</button></p>
            ${rejectedLines(all, 'These lines were left out:')}`
          : rejectedLines(all, 'Fix these lines in your spreadsheet, and import the file again:')
      }
      <div class="buttons">
        <button type="button" @click=${other}>Import another file</button>
        <a class="button primary" href="#/products">Show products</a>
      </div>
    </section>
  `;
};

const lineOf = ({ line, sku, reason }: OmittedLine): string =>
  `line ${line}${sku ? `, ${sku}` : ''}: ${reason}`;

/** Lines with errors, as a text that can be copied. */
export const rejectedLines = (rejected: readonly OmittedLine[], title: string): Content =>
  listedLines('rejected', rejected, title);

/**
 * Lines as a text that can be copied.
 * @param id of the text's field, which there is once on the page
 */
export const listedLines = (id: string, listed: readonly OmittedLine[], title: string): Content => {
  if (listed.length === 0) return nothing;
  const lines = listed.slice(0, shownLines).map(lineOf);
  if (listed.length > shownLines) lines.push(`and ${formatCount(listed.length - shownLines)} more`);
  return html`
    <div class="rejected">
      <p><label for=${id}>${title}</label> <button type="button" @click=${copy}>Copy</button></p>
      <textarea id=${id} readonly rows=${Math.min(listed.length + 1, 12)} .value=${lines.join('\n')}></textarea>
    </div>
  `;
};

const copy = async ({ currentTarget }: Event): Promise<void> => {
  const button = as(currentTarget, HTMLButtonElement);
  const area = as(button.closest('.rejected')?.querySelector('textarea'), HTMLTextAreaElement);
  area.select();
  try {
    await navigator.clipboard.writeText(area.value);
    button.textContent = 'Copied';
  } catch {
    // Without HTTPS there is no clipboard for a page: the text is selected for the keys of the reader.
    area.focus();
  }
};
