import { exampleValues, requestOf } from '../samples/form.ts';
import { samplesOf } from '../samples/index.ts';
import type { Operation } from './document.ts';
import { requestForm } from './form.ts';
import { type Html, html } from './html.ts';
import { originOf, type Reference } from './reference.ts';

/** The request in each language. A script keeps it at what the reader fills in, from the form in `data-form` on. */
export const samples = (reference: Reference, operation: Operation): Html => {
  const { document, highlight } = reference;
  const { id, summary } = operation;
  const form = requestForm(document, operation);
  const origin = originOf(reference);
  const each = exampleSamples(reference, operation);
  return html`<div class="samples panel" data-form="${JSON.stringify(form)}" data-origin="${origin}">
<div class="bar">
<fieldset class="languages"><legend>Language of the request: ${summary}</legend>${each.map(
    ({ language, title }, index) =>
      html`<label><input type="radio" name="${id}-language" value="${language}"${index === 0 ? html` checked` : ''}>${title}</label>`,
  )}</fieldset>
</div>
${each.map(
  ({ language, text }) =>
    html`<pre tabindex="0" data-language="${language}"><code data-language="${language}">${highlight(text, language)}</code></pre>\n`,
)}</div>`;
};

/** The request of the example in each language. */
export const exampleSamples = (reference: Reference, operation: Operation): ReturnType<typeof samplesOf> => {
  const form = requestForm(reference.document, operation);
  const origin = originOf(reference);
  return samplesOf(requestOf(form, { ...{ origin, key: '' }, values: exampleValues(form) }));
};

/** What the operation returns when it succeeds. */
export const exampleResponse = (reference: Reference, { id, responses }: Operation): Html | undefined => {
  const shown = responses.find(({ status, example }) => Number(status) < 300 && example !== undefined);
  if (shown === undefined) return undefined;
  const title = html`Response <b class="status">${shown.status}</b>`;
  return jsonPanel(reference, title, shown.example, `${id}-response`);
};

/** @param id of the panel, where links or scripts need it */
export const jsonPanel = (reference: Reference, title: Html | string, value: unknown, id?: string): Html =>
  codePanel(reference, title, JSON.stringify(value, null, 2), 'json', id);

export const codePanel = (
  { highlight }: Reference,
  title: Html | string,
  code: string,
  language: string,
  id?: string,
): Html =>
  html`<div class="example panel"${id === undefined ? '' : html` id="${id}"`}>
<div class="bar"><span class="title">${title}</span></div>
<pre tabindex="0"><code data-language="${language}">${highlight(code, language)}</code></pre>
</div>`;
