import { as, formOf, type Values, valuesOf } from '../elements.ts';
import { html, nothing, type TemplateResult } from '../lit.ts';
import type { Content, Context } from '../view.ts';
import { createKeys, type KeyOf } from './keys.ts';
import { errorBox } from './states.ts';

interface FormOptions {
  /** The label of the button. */
  readonly submit: string;
  /** The address to which a person goes back. */
  readonly cancel: string;
  readonly fields: () => Content;
  /** Gets what the fields hold, and a function that returns an idempotency key for a body. */
  readonly run: (values: Values, keyOf: KeyOf) => Promise<void>;
}

/** Shows a form. */
export interface ViewForm {
  (): TemplateResult;
  /** Whether it has been filled in differently from how it began. */
  readonly hasUnsaved: () => boolean;
}

/** A form that fills a view. What was typed stays when the server rejects it. */
export const viewForm = (
  { update }: Pick<Context, 'update'>,
  { submit, cancel, fields, run }: FormOptions,
): ViewForm => {
  const keyOf = createKeys();
  let isRunning = false;
  let error: unknown;
  /** The form in the page, and what it had before anybody typed into it. */
  let element: HTMLFormElement | undefined;
  let initial: string | undefined;

  // Not every browser focuses a check box that is clicked.
  const onTouch = ({ currentTarget }: Event) => {
    element = as(currentTarget, HTMLFormElement);
    initial ??= contentOf(element);
  };

  const onSubmit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isRunning) return;
    [isRunning, error] = [true, undefined];
    update();
    try {
      await run(valuesOf(formOf(event)), keyOf);
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
      ${error === undefined ? nothing : errorBox(error)}
      <div class="buttons">
        <a class="button" href=${cancel}>Back</a>
        <button class="primary" aria-disabled=${isRunning}>${isRunning ? 'Working …' : submit}</button>
      </div>
    </form>
  `;
  // What is being sent is not lost.
  const hasUnsaved = () => !isRunning && element?.isConnected === true && contentOf(element) !== initial;
  return Object.assign(template, { hasUnsaved });
};

const contentOf = (form: HTMLFormElement): string => JSON.stringify([...new FormData(form)]);

/** A value, how it is called, and a sentence that explains it. */
export type Choice<Value extends string = string> = readonly [value: Value, label: string, hint?: string];

/** Choices of which one holds, each with a sentence that explains it. */
export const radios = <Value extends string>(
  legend: string,
  name: string,
  choices: readonly Choice<Value>[],
  current: Value | undefined,
  onChange: (value: Value) => void = () => undefined,
): TemplateResult => html`
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
export const selectField = (
  label: string,
  name: string,
  choices: readonly Choice[],
  { hint }: { readonly hint?: string } = {},
): TemplateResult => html`
  <label class="field">
    <span>${label}</span>
    <select name=${name}>
      ${choices.map(([value, text]) => html`<option value=${value}>${text}</option>`)}
    </select>
    ${hint ? html`<small>${hint}</small>` : nothing}
  </label>
`;
