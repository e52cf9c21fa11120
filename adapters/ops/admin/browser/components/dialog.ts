import { as, catchFocus, find, formOf, inputOf, type Values, valuesOf } from '../elements.ts';
import { ChangedMeanwhileError } from '../errors.ts';
import { html, nothing, render, type TemplateResult } from '../lit.ts';
import type { Content } from '../view.ts';
import { createKeys } from './keys.ts';
import { errorBox } from './states.ts';

interface Action<Result> {
  readonly title: string;
  /** A function where an error of the action may change it. */
  readonly text?: Content | (() => Content);
  /** Gets the values of the fields as they are now, as `confirm` does if it is a function. */
  readonly fields?: (values: Values) => Content;
  readonly confirm: string | ((values: Values) => string);
  readonly back?: string;
  readonly isDangerous?: boolean;
  /** Whether Enter in a field confirms. For what cannot be undone it only leads on to the button that does. */
  readonly isSentByEnter?: boolean;
  readonly run: (values: Values, idempotencyKey: string) => Promise<Result>;
}

/**
 * Asks a person to confirm an action, with fields if it has some, and runs it. An error is shown in the dialog, and the action can be tried
 * again: with the same idempotency key as long as the fields are the same, so that it happens once. Escape gives up, and so does closing the
 * view by the browser's way back, but not while the action runs: its result would be lost from sight. Before the tab is closed or loaded
 * again, the browser asks while the action runs, and once something was typed.
 * @returns what `run` has returned; undefined when the person has given up
 */
export const confirmAction = <Result>({
  title,
  text,
  fields = () => nothing,
  confirm,
  back = 'Back',
  isDangerous = false,
  isSentByEnter = true,
  run,
}: Action<Result>): Promise<Result | undefined> =>
  new Promise((resolve) => {
    const dialog = document.createElement('dialog');
    dialog.setAttribute('aria-labelledby', 'dialog-title');
    document.body.append(dialog);
    let keyOf = createKeys();
    let state: State = { isRunning: false, error: undefined };
    let result: Result | undefined;
    let values: Values = {};
    let isTyped = false;

    const submit = async (event: SubmitEvent) => {
      event.preventDefault();
      if (state.isRunning) return;
      values = valuesOf(formOf(event));
      draw({ isRunning: true, error: undefined });
      try {
        result = await run(values, keyOf(values));
        dialog.close();
      } catch (error) {
        // What is confirmed now, the person has decided again, also with values that were sent before.
        if (error instanceof ChangedMeanwhileError) keyOf = createKeys();
        else keyOf.afterError(error);
        draw({ isRunning: false, error });
      }
    };
    const draw = (next: State) => {
      state = next;
      render(template(), dialog);
    };
    const onInput = ({ currentTarget }: Event) => {
      isTyped = true;
      values = valuesOf(as(currentTarget, HTMLFormElement));
      draw(state);
    };
    const onKey = (event: KeyboardEvent) => {
      if (isSentByEnter || event.key !== 'Enter') return;
      // Of a key that is held down, the second Enter would press the button to which the first one has led.
      if (!(event.target instanceof HTMLInputElement) && !event.repeat) return;
      event.preventDefault();
      find(dialog, 'button:not([type])', HTMLButtonElement).focus();
    };
    const template = () => html`
      <form @submit=${submit} @input=${onInput} @keydown=${onKey}>
        <h2 id="dialog-title">${title}</h2>
        ${text ? html`<p>${typeof text === 'function' ? text() : text}</p>` : nothing} ${fields(values)}
        ${state.error === undefined ? nothing : errorBox(state.error)}
        <div class="buttons">
          <button type="button" ?disabled=${state.isRunning} @click=${() => dialog.close()}>${back}</button>
          <button class=${isDangerous ? 'danger' : 'primary'} aria-disabled=${state.isRunning}>
            ${state.isRunning ? 'Working …' : typeof confirm === 'function' ? confirm(values) : confirm}
          </button>
        </div>
      </form>
    `;
    dialog.addEventListener('cancel', (event) => {
      if (state.isRunning) event.preventDefault();
    });
    const closeUnlessRunning = () => {
      if (!state.isRunning) dialog.close();
    };
    const ask = (event: Event) => {
      if (state.isRunning || isTyped) event.preventDefault();
    };
    addEventListener('hashchange', closeUnlessRunning);
    addEventListener('beforeunload', ask);
    dialog.addEventListener('close', () => {
      removeEventListener('hashchange', closeUnlessRunning);
      removeEventListener('beforeunload', ask);
      dialog.remove();
      // The button that has opened it may be gone by now.
      catchFocus();
      resolve(result);
    });
    draw(state);
    dialog.showModal();
  });

interface State {
  readonly isRunning: boolean;
  readonly error: unknown;
}

/** Selects what is in an input that gets the focus, so that typing replaces it. */
export const selectAll = (event: FocusEvent): void => inputOf(event).select();

/** The same by the mouse, whose click would otherwise put the cursor into the text afterwards. */
export const focusAll = (event: MouseEvent): void => {
  if (document.activeElement === event.target) return;
  event.preventDefault();
  inputOf(event).focus();
};

/** A labelled input for an amount of money, which `parseMoney` parses. */
export const moneyField = (label: string, name: string, options: FieldOptions): TemplateResult =>
  field(label, name, { required: true, inputmode: 'decimal', isSelectedAtFocus: true, ...options });

interface FieldOptions {
  readonly hint?: string;
  readonly type?: string;
  readonly value?: string | number;
  readonly required?: boolean;
  readonly inputmode?: string;
  readonly maxlength?: number;
  /** Whether typing replaces what is in it. */
  readonly isSelectedAtFocus?: boolean;
}

/** A labelled input of a dialog or form. */
export const field = (
  label: string,
  name: string,
  { hint, ...attributes }: FieldOptions = {},
): TemplateResult => html`
  <label class="field">
    <span>${label}</span>
    <input
      name=${name}
      type=${attributes.type ?? 'text'}
      .value=${attributes.value ?? ''}
      ?required=${attributes.required ?? false}
      inputmode=${attributes.inputmode ?? 'text'}
      maxlength=${attributes.maxlength ?? 1000}
      autocomplete="off"
      spellcheck="false"
      @mousedown=${attributes.isSelectedAtFocus ? focusAll : nothing}
      @focus=${attributes.isSelectedAtFocus ? selectAll : nothing}
    />
    ${hint ? html`<small>${hint}</small>` : nothing}
  </label>
`;
