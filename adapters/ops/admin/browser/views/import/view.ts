// @ts-nocheck
import { onFileDrop } from '../../components/file-drop.ts';
import { errorBox } from '../../components/states.ts';
import { formatCount } from '../../format.ts';
import { html, nothing } from '../../lit.ts';
import { guessFields, stockUseOf } from './columns.js';
import { takeDropped } from './dropped.ts';
import { readTable } from './file.ts';
import { planImport } from './plan.js';
import { createPreview } from './preview/preview.ts';
import { previewStep } from './preview/step.ts';
import { report } from './report.ts';
import { sendProducts } from './send.ts';
import { forgetProgress, keepProgress, unfinishedImport } from './unfinished.ts';

/** A list of products from a spreadsheet: chosen, looked at, sent, and reported. */
export const importView = (context) => {
  const { api, signal, update, notify } = context;
  const state = { step: 'choose', file: undefined, plan: undefined, error: undefined };
  let [opened, planning] = [0, new AbortController()];
  const settings = {
    ...{ chosen: [], currency: 'EUR', sign: undefined, stock: undefined },
    allowUncounted: false,
  };
  let stopping = new AbortController();

  const open = async (file) => {
    if (state.step === 'send') return;
    opened += 1;
    const mine = opened;
    planning.abort();
    Object.assign(state, { step: 'read', file: undefined, error: undefined });
    update();
    try {
      const [table, currency] = await Promise.all([readTable(file), lastCurrency(context)]);
      if (signal.aborted || mine !== opened) return;
      const chosen = guessFields(table.header);
      const stock = stockUseOf(table.header, chosen);
      Object.assign(settings, { chosen, currency, sign: undefined, stock, allowUncounted: false });
      Object.assign(state, { file: table, plan: undefined, compared: createPreview(context, table) });
      await plan();
    } catch (error) {
      if (mine === opened) Object.assign(state, { step: 'choose', error });
    }
    update();
  };
  /** What was planned before stays visible meanwhile. */
  const plan = async () => {
    planning.abort();
    planning = new AbortController();
    const made = await planImport(state.file, settings, AbortSignal.any([signal, planning.signal]));
    if (made === undefined) return;
    Object.assign(state, { plan: made, step: 'look' });
    planning.abort();
    state.compared.plan(made, { ...settings });
  };
  const change = (changes) => {
    Object.assign(settings, changes);
    plan();
    update();
  };

  const begin = () => {
    const { toSend, leftOut } = state.compared.current();
    state.sending = { products: toSend, rejected: [...state.plan.rejected, ...leftOut] };
    return send();
  };
  const send = async () => {
    stopping = new AbortController();
    Object.assign(state, { step: 'send', error: undefined, counts: undefined });
    update();
    const all = state.sending.products.length;
    const show = (counts) => {
      state.counts = counts;
      keepProgress({ file: state.file.name, done: counts.done, all });
      update();
    };
    keepProgress({ file: state.file.name, done: 0, all });
    try {
      await sendProducts({
        ...{ api, signal: AbortSignal.any([signal, stopping.signal]), file: state.file },
        ...{ products: state.sending.products, options: { ...settings }, onProgress: show },
      });
    } catch (error) {
      state.error = error;
    }
    if (signal.aborted) return;
    forgetProgress();
    state.step = 'done';
    update();
    document.querySelector('main h2')?.focus();
  };

  signal.addEventListener('abort', () => {
    if (state.step === 'send') notify(unfinishedImport());
  });
  onFileDrop(context, open);
  const dropped = takeDropped();
  if (dropped !== undefined) open(dropped);

  const choose = ({ target }) => {
    const [file] = target.files;
    if (file !== undefined) open(file);
    target.value = '';
  };

  const chooseStep = () => html`
    ${unfinishedImport() ? html`<div class="banner"><p>${unfinishedImport()}</p></div>` : nothing}
    <label class="drop">
      <b>Drop a file here, or choose one</b>
      <span class="soft">A list from a spreadsheet or another shop, saved as CSV. Its first line names the columns. Nothing is sent before you have looked at it.</span>
      <input type="file" accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values" @change=${choose} />
    </label>
  `;

  const sendStep = () => {
    const { done = 0 } = state.counts ?? {};
    const all = state.sending.products.length;
    return html`
      <section class="card">
        <h2>Importing ${state.file.name}</h2>
        <progress max=${all} .value=${done} aria-label="Products sent"></progress>
        <p>${formatCount(done)} of ${formatCount(all)}. Keep this page open.</p>
        <button type="button" @click=${() => stopping.abort()}>Stop</button>
      </section>
    `;
  };

  const readStep = () => html`<p role="status">Reading the file …</p>`;

  const steps = {
    choose: chooseStep,
    read: readStep,
    look: () =>
      previewStep({
        ...state,
        isPlanned: planning.signal.aborted,
        preview: state.compared.current(),
        settings,
        change,
        send: begin,
        other: chooseOther,
      }),
    send: sendStep,
    done: () =>
      report({
        ...state,
        isStopped: stopping.signal.aborted,
        settings,
        other: chooseOther,
        back: lookAgain,
        again: send,
        allow: () => {
          settings.allowUncounted = true;
          lookAgain();
        },
      }),
  };
  /** What was sent has changed the shop: all is compared anew. */
  const lookAgain = () => {
    Object.assign(state, { step: 'look', compared: createPreview(context, state.file) });
    state.compared.plan(state.plan, { ...settings });
  };
  const chooseOther = () => {
    Object.assign(state, { step: 'choose', error: undefined });
    update();
  };
  return {
    title: 'Import products',
    hasUnsaved: () => state.step === 'send',
    question,
    template: () => html`
      ${state.error && state.step === 'choose' ? errorBox(state.error) : nothing} ${steps[state.step]()}
    `,
  };
};

const question = {
  title: 'Leave and stop the import?',
  text: 'Products are still being sent, and that stops when you leave. What was sent stays; the rest is sent when you import the same file again.',
  confirm: 'Leave and stop it',
};

/** The currency of the newest product is likely that of the file. */
const lastCurrency = async ({ api, signal }) => {
  const { data } = await api.send('GET /products', { query: { sort: '-id', limit: 1 }, signal });
  return data[0]?.price.currency ?? 'EUR';
};
