import { html, nothing } from '../lit.js';
import { createKeys } from './keys.js';
import { errorBox } from './states.js';

/**
 * A form that fills a view. What was typed stays when the server rejects it.
 * @param run gets the form's data and a function that returns an idempotency key for a body
 */
export const viewForm = ({ update }, { submit, cancel, fields, run }) => {
  const keyOf = createKeys();
  let [isRunning, error] = [false, undefined];

  const onSubmit = async (event) => {
    event.preventDefault();
    if (isRunning) return;
    [isRunning, error] = [true, undefined];
    update();
    try {
      await run(new FormData(event.target), keyOf);
    } catch (caught) {
      keyOf.afterError(caught);
      error = caught;
    }
    isRunning = false;
    update();
  };

  return () => html`
    <form class="card form" @submit=${onSubmit}>
      ${fields()}
      ${error ? errorBox(error) : nothing}
      <div class="buttons">
        <a class="button" href=${cancel}>Back</a>
        <button class="primary" aria-disabled=${isRunning}>${isRunning ? 'Working …' : submit}</button>
      </div>
    </form>
  `;
};

/** Choices of which one holds, each with a sentence that explains it. */
export const radios = (legend, name, choices, current, onChange = () => undefined) => html`
  <fieldset>
    <legend>${legend}</legend>
    ${choices.map(
      ([value, label, hint]) => html`<label class="choice">
        <input type="radio" name=${name} value=${value} .checked=${value === current} @change=${() => onChange(value)} />
        <span>${label}${hint ? html`<small>${hint}</small>` : nothing}</span>
      </label>`,
    )}
  </fieldset>
`;

/** A labelled list to choose one from. */
export const selectField = (label, name, choices, { hint } = {}) => html`
  <label class="field">
    <span>${label}</span>
    <select name=${name}>
      ${choices.map(([value, text]) => html`<option value=${value}>${text}</option>`)}
    </select>
    ${hint ? html`<small>${hint}</small>` : nothing}
  </label>
`;
