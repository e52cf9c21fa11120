import type { FormField } from '../samples/form.ts';
import { fieldId } from '../samples/index.ts';
import type { Caller } from './caller.ts';
import { html, live, nothing, type TemplateResult } from './lit.ts';
import type { EditedRequest } from './request.ts';

const names: Readonly<Record<string, string>> = { customer: 'Customer', admin: 'Admin', own: 'Own key' };

/** Shows the API key of the requests: one of the demonstration, or the reader's own. @param id of the operation */
export const callerView = (id: string, caller: Caller): TemplateResult => {
  const choices = caller.names();
  const key = html`<label class="input"><span>Your API key</span>
    <input name="own-key" type="password" autocomplete="off" spellcheck="false" placeholder="ptc_…"
      .value=${live(caller.ownKey())} @input=${(event: Event) => caller.setOwnKey(valueIn(event))}></label>`;
  if (choices.length === 1) return key;
  return html`<fieldset class="callers"><legend>Acting as</legend>
    ${choices.map(
      (name) =>
        html`<label><input type="radio" name="caller-${id}" value=${name} .checked=${live(name === caller.name())}
          @change=${() => caller.choose(name)}><span>${names[name] ?? name}</span></label>`,
    )}</fieldset>
    ${caller.name() === 'own' ? key : nothing}`;
};

/** What stands in the control that an event comes from. */
const valueIn = ({ target }: Event): string =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement
    ? target.value
    : '';

/** Shows the fields of a request: what is required first, all else folded away. @param redraw called after each change */
export const fieldsView = (request: EditedRequest, redraw: () => void): TemplateResult => {
  const shown = ({ in: place, isRequired, name }: FormField) =>
    place === 'path' || isRequired || name === 'Idempotency-Key';
  const optional = request.fields.filter((field) => !shown(field));
  return html`
    ${request.fields.filter(shown).map((field) => fieldView(request, field, redraw))}
    ${request.bodyText() === undefined ? nothing : bodyView(request, redraw)}
    ${['query', 'header'].map((place) =>
      group(
        place === 'query' ? 'Optional parameters' : 'Optional headers',
        optional.filter((field) => field.in === place),
        (field) => fieldView(request, field, redraw),
      ),
    )}`;
};

const group = (title: string, fields: readonly FormField[], view: (field: FormField) => TemplateResult) =>
  fields.length === 0
    ? nothing
    : html`<details><summary>${title} <span class="count">${fields.length}</span></summary>${fields.map(view)}</details>`;

const fieldView = (request: EditedRequest, field: FormField, redraw: () => void): TemplateResult => {
  const { name, values, isRequired, isNumber } = field;
  const type = (event: Event) => {
    request.type(field, valueIn(event));
    redraw();
  };
  const value = live(request.valueOf(field));
  const control =
    values.length > 0
      ? html`<select name=${fieldId(field)} .value=${value} @change=${type}>
          <option value=""></option>${values.map((each) => html`<option .selected=${each === request.valueOf(field)}>${each}</option>`)}</select>`
      : html`<input name=${fieldId(field)} .value=${value} @input=${type} ?required=${isRequired}
          inputmode=${isNumber ? 'numeric' : 'text'} autocomplete="off" autocapitalize="off" spellcheck="false">`;
  const label = html`<label class="input"><span><code>${name}</code>${isRequired ? html` <b>required</b>` : nothing}</span>${control}</label>`;
  if (name !== 'Idempotency-Key') return label;
  const renew = () => {
    request.renewKey();
    redraw();
  };
  return html`<div class="key-field">${label}<button type="button" class="new-key" @click=${renew}>New key</button>
    <p class="hint">The same request with the same key happens once. An edited request gets a new key.</p></div>`;
};

const bodyView = (request: EditedRequest, redraw: () => void): TemplateResult => {
  const problem = request.bodyProblem();
  const text = request.bodyText() ?? '';
  const type = (event: Event) => {
    request.typeBody(valueIn(event));
    redraw();
  };
  return html`<label class="input"><span>Body (JSON)</span>
    <textarea name="body" rows=${Math.min(Math.max(text.split('\n').length, 3), 20)} spellcheck="false" autocapitalize="off"
      .value=${live(text)} aria-invalid=${problem === undefined ? 'false' : 'true'} @input=${type}></textarea></label>
    <p class="problem" role="status">${problem ?? nothing}</p>`;
};
