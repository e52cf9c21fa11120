// @ts-nocheck
import { html, nothing } from '../lit.ts';
import { createKeys } from './keys.ts';
import { errorBox } from './states.ts';

/**
 * A form that fills a view. What was typed stays when the server rejects it.
 * @param run gets the form's data and a function that returns an idempotency key for a body
 * @returns a function that shows the form; its `hasUnsaved` returns whether it has been filled in differently from how it began
 */
export const viewForm = ({ update }, { submit, cancel, fields, run }) => {
  const keyOf = createKeys();
  let [isRunning, error] = [false, undefined];
  /** The form in the page, and what it had before anybody typed into it. */
  let [element, initial] = [undefined, undefined];

  // Not every browser focuses a check box that is clicked.
  const onTouch = ({ currentTarget }) => {
    element = currentTarget;
    initial ??= contentOf(element);
  };

  const onSubmit = async (event) => {
    event.preventDefault();
    if (isRunning) return;
    [isRunning, error] = [true, undefined];
    update();
    try {
      await run(new FormData(event.target), keyOf);
      element = undefined;
    } catch (caught) {
      keyOf.afterError(caught);
      error = caught;
    }
    isRunning = false;
    update();
  };

  const template = () => html`
    <form class="card form" @submit=${onSubmit} @pointerdown=${onTouch} @focusin=${onTouch}>
      ${fields()}
      ${error ? errorBox(error) : nothing}
      <div class="buttons">
        <a class="button" href=${cancel}>Back</a>
        <button class="primary" aria-disabled=${isRunning}>${isRunning ? 'Working …' : submit}</button>
      </div>
    </form>
  `;
  // What is being sent is not lost.
  template.hasUnsaved = () => !isRunning && element?.isConnected === true && contentOf(element) !== initial;
  return template;
};

const contentOf = (form) => JSON.stringify([...new FormData(form)]);

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
