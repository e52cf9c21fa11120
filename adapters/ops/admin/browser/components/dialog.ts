// @ts-nocheck

import { catchFocus } from '../elements.ts';
import { ChangedMeanwhileError } from '../errors.ts';
import { html, nothing, render } from '../lit.ts';
import { createKeys } from './keys.ts';
import { errorBox } from './states.ts';

/**
 * Asks a person to confirm an action, with fields if it has some, and runs it. An error is shown in the dialog, and the action can be tried
 * again: with the same idempotency key as long as the fields are the same, so that it happens once. Escape gives up, and so does leaving the
 * view by the browser's way back, but not while the action runs: its result would be lost from sight. Before the tab is closed or loaded
 * again, the browser asks while the action runs, and once something was typed.
 * @param text a text, or a function that returns it where an error of the action may change it
 * @param fields gets the values of the fields as they are now, as `confirm` does if it is a function
 * @param isSentByEnter whether Enter in a field confirms. For what cannot be undone it only leads on to the button that does
 * @param run gets the values of the fields and an idempotency key
 * @returns what `run` has returned; undefined when the person has given up
 */
export const confirmAction = ({
  title,
  text,
  fields = () => nothing,
  confirm,
  back = 'Back',
  isDangerous = false,
  isSentByEnter = true,
  run,
}) =>
  new Promise((resolve) => {
    const dialog = document.createElement('dialog');
    dialog.setAttribute('aria-labelledby', 'dialog-title');
    document.body.append(dialog);
    let keyOf = createKeys();
    let state = { isRunning: false, error: undefined };
    let result: unknown;
    let values = {};
    let isTyped = false;

    const submit = async (event) => {
      event.preventDefault();
      if (state.isRunning) return;
      values = Object.fromEntries(new FormData(event.target));
      draw({ isRunning: true, error: undefined });
      try {
        result = await run(values, keyOf(values));
        dialog.close();
      } catch (error) {
        // What is confirmed now, the person has decided anew, also with values that were sent before.
        if (error instanceof ChangedMeanwhileError) keyOf = createKeys();
        else keyOf.afterError(error);
        draw({ isRunning: false, error });
      }
    };
    const draw = (next) => {
      state = next;
      render(template(), dialog);
    };
    const onInput = (event) => {
      isTyped = true;
      values = Object.fromEntries(new FormData(event.currentTarget));
      draw(state);
    };
    const onKey = (event) => {
      if (isSentByEnter || event.key !== 'Enter') return;
      // Of a key that is held down, the second Enter would press the button to which the first one has led.
      if (event.target.tagName !== 'INPUT' && !event.repeat) return;
      event.preventDefault();
      event.currentTarget.querySelector('button:not([type])').focus();
    };
    const template = () => html`
      <form @submit=${submit} @input=${onInput} @keydown=${onKey}>
        <h2 id="dialog-title">${title}</h2>
        ${text ? html`<p>${typeof text === 'function' ? text() : text}</p>` : nothing} ${fields(values)}
        ${state.error ? errorBox(state.error) : nothing}
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
    const leave = () => {
      if (!state.isRunning) dialog.close();
    };
    const ask = (event) => {
      if (state.isRunning || isTyped) event.preventDefault();
    };
    addEventListener('hashchange', leave);
    addEventListener('beforeunload', ask);
    dialog.addEventListener('close', () => {
      removeEventListener('hashchange', leave);
      removeEventListener('beforeunload', ask);
      dialog.remove();
      // The button that has opened it may be gone by now.
      catchFocus();
      resolve(result);
    });
    draw(state);
    dialog.showModal();
  });

/** Selects what is in an input that gets the focus, so that typing replaces it. */
export const selectAll = ({ target }) => target.select();

/** The same by the mouse, whose click would otherwise put the cursor into the text afterwards. */
export const focusAll = (event) => {
  if (document.activeElement === event.target) return;
  event.preventDefault();
  event.target.focus();
};

/** A labelled input for an amount of money, which `parseMoney` parses. */
export const moneyField = (label, name, options) =>
  field(label, name, { required: true, inputmode: 'decimal', isSelectedAtFocus: true, ...options });

/** A labelled input of a dialog or form. */
export const field = (label, name, { hint, ...attributes } = {}) => html`
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
