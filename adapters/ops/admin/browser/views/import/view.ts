import { guessColumns } from '../../../product-files/guess-columns.ts';
import { type Plan, planImport } from '../../../product-files/plan.ts';
import { onFileDrop } from '../../components/file-drop.ts';
import { errorBox } from '../../components/states.ts';
import { inputOf } from '../../elements.ts';
import { formatCount } from '../../format.ts';
import { html, nothing } from '../../lit.ts';
import type { Content, Context, View } from '../../view.ts';
import { consumeDropped } from './dropped.ts';
import { type ImportFile, readTable } from './file.ts';
import { stockUseOf } from './preview/columns-form.ts';
import { createPreview, type Previews } from './preview/preview.ts';
import { previewStep } from './preview/step.ts';
import { report, type Sending } from './report.ts';
import { type ImportCounts, sendProducts } from './send.ts';
import { type ImportSettings, optionsOf } from './settings.ts';
import { forgetProgress, keepProgress, unfinishedImport } from './unfinished.ts';
import { yieldToBrowser } from './yield-to-browser.ts';

/** A file that was read, with what is planned and was sent of it. */
interface OpenFile {
  readonly file: ImportFile;
  readonly plan: Plan;
  readonly previews: Previews;
  readonly sending: Sending;
}

/** A list of products from a spreadsheet: chosen, previewed, sent, and reported. */
export const importView = (context: Context): View => {
  const { api, signal, update, notify } = context;
  let step: 'choose' | 'read' | 'preview' | 'send' | 'done' = 'choose';
  let current: OpenFile | undefined;
  let counts: ImportCounts | undefined;
  let error: unknown;
  let settings: ImportSettings = {
    ...{ chosen: [], currency: 'EUR', sign: undefined, stock: undefined },
    allowUncounted: false,
  };
  let [opened, planning, stopping] = [0, new AbortController(), new AbortController()];

  const open = async (chosenFile: File): Promise<void> => {
    if (step === 'send') return;
    opened += 1;
    const mine = opened;
    planning.abort();
    [step, current, error] = ['read', undefined, undefined];
    update();
    try {
      const [file, currency] = await Promise.all([readTable(chosenFile), lastCurrency(context)]);
      if (signal.aborted || mine !== opened) return;
      const chosen = guessColumns(file.header);
      const stock = stockUseOf(file.header, chosen);
      settings = { chosen, currency, sign: undefined, stock, allowUncounted: false };
      await plan(file, createPreview(context, file));
    } catch (caught) {
      if (mine === opened) [step, error] = ['choose', caught];
    }
    update();
  };
  /** What was planned before stays visible meanwhile. */
  const plan = async (file: ImportFile, previews: Previews): Promise<void> => {
    planning.abort();
    planning = new AbortController();
    const made = await planImport(
      file,
      { names: settings.chosen, stockUse: settings.stock, ...optionsOf(settings) },
      { signal: AbortSignal.any([signal, planning.signal]), pause: yieldToBrowser },
    );
    if (made === undefined) return;
    current = { file, plan: made, previews, sending: { products: [], rejected: [] } };
    step = 'preview';
    planning.abort();
    previews.plan(made, settings);
  };
  const change = (changes: Partial<ImportSettings>): void => {
    settings = { ...settings, ...changes };
    if (current !== undefined) plan(current.file, current.previews);
    update();
  };

  const begin = (open: OpenFile): Promise<void> => {
    const { toSend, omitted } = open.previews.current();
    return send({ ...open, sending: { products: toSend, rejected: [...open.plan.rejected, ...omitted] } });
  };
  const send = async (open: OpenFile): Promise<void> => {
    const { file, sending } = open;
    stopping = new AbortController();
    [step, current, error, counts] = ['send', open, undefined, undefined];
    update();
    const all = sending.products.length;
    keepProgress({ file: file.name, done: 0, all });
    try {
      await sendProducts({
        ...{ api, signal: AbortSignal.any([signal, stopping.signal]), file, settings },
        products: sending.products,
        onProgress: (sent) => {
          counts = sent;
          keepProgress({ file: file.name, done: sent.done, all });
          update();
        },
      });
    } catch (caught) {
      error = caught;
    }
    if (signal.aborted) return;
    forgetProgress();
    step = 'done';
    update();
    document.querySelector<HTMLElement>('main h2')?.focus();
  };

  signal.addEventListener('abort', () => {
    if (step === 'send') notify(unfinishedImport() ?? '');
  });
  onFileDrop(context, open);
  const dropped = consumeDropped();
  if (dropped !== undefined) open(dropped);

  const choose = (event: Event): void => {
    const input = inputOf(event);
    const file = input.files?.[0];
    if (file !== undefined) open(file);
    input.value = '';
  };

  const chooseStep = (): Content => html`
    ${unfinishedImport() ? html`<div class="banner"><p>${unfinishedImport()}</p></div>` : nothing}
    <label class="drop">
      <b>Drop a file here, or choose one</b>
      <span class="soft">A list from a spreadsheet or another shop, saved as CSV. Its first line names the columns. Nothing is sent before you have looked at it.</span>
      <input type="file" accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values" @change=${choose} />
    </label>
  `;

  const sendStep = ({ file, sending }: OpenFile): Content => {
    const { done = 0 } = counts ?? {};
    const all = sending.products.length;
    return html`
      <section class="card">
        <h2>Importing ${file.name}</h2>
        <progress max=${all} .value=${done} aria-label="Products sent"></progress>
        <p>${formatCount(done)} of ${formatCount(all)}. Keep this page open.</p>
        <button type="button" @click=${() => stopping.abort()}>Stop</button>
      </section>
    `;
  };

  const previewOf = ({ file, plan: planned, previews }: OpenFile): Content =>
    previewStep({
      ...{ file, plan: planned, preview: previews.current(), settings, change, other: chooseOther },
      isPlanned: planning.signal.aborted,
      send: () => current && begin(current),
    });
  const reportOf = (open: OpenFile): Content =>
    report({
      ...{ ...open, counts, error, settings, isStopped: stopping.signal.aborted },
      ...{ other: chooseOther, back: () => backToPreview(open), again: () => send(open) },
      allow: () => {
        settings = { ...settings, allowUncounted: true };
        backToPreview(open);
      },
    });
  /** What was sent has changed the shop: all is compared anew. */
  const backToPreview = (open: OpenFile): void => {
    const previews = createPreview(context, open.file);
    [step, current] = ['preview', { ...open, previews }];
    previews.plan(open.plan, settings);
  };
  const chooseOther = (): void => {
    [step, error] = ['choose', undefined];
    update();
  };
  const template = (): Content => {
    if (step === 'read') return html`<p role="status">Reading the file …</p>`;
    if (step === 'choose' || current === undefined)
      return html`${error && step === 'choose' ? errorBox(error) : nothing} ${chooseStep()}`;
    return { preview: previewOf, send: sendStep, done: reportOf }[step](current);
  };
  return { title: 'Import products', hasUnsaved: () => step === 'send', question, template };
};

const question = {
  title: 'Leave and stop the import?',
  text: 'Products are still being sent, and that stops when you leave. What was sent stays; the rest is sent when you import the same file again.',
  confirm: 'Leave and stop it',
};

/** The currency of the newest product is likely that of the file. */
const lastCurrency = async ({ api, signal }: Context): Promise<string> => {
  const { data } = await api.send('GET /products', { query: { sort: '-id', limit: 1 }, signal });
  return data[0]?.price.currency ?? 'EUR';
};
