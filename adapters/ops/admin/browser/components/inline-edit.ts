// @ts-nocheck

import { ChangedMeanwhileError } from '../errors.ts';
import { html, live, nothing } from '../lit.ts';
import { focusAll, selectAll } from './dialog.ts';
import { createKeys } from './keys.ts';
import { errorBox } from './states.ts';

/**
 * Values that are edited where they stand, one at a time: Enter saves, Escape restores what was there. An error stays beside
 * the input with what was typed, and the same text tried again has the same idempotency key. A value that is loaded again
 * meanwhile does not touch what is being edited.
 * @returns a function that shows such a value, and edits it on demand; its `hasUnsaved` returns whether one has been typed and is not saved
 */
export const inlineEdits = ({ signal, update, notify }) => {
  let open: unknown;

  const focus = (id) => setTimeout(() => document.getElementById(id)?.focus());

  /** What is being edited may be below the end of the window, and grows with what it says. */
  const reveal = (key) =>
    setTimeout(() => document.getElementById(`input-${key}`)?.form.scrollIntoView({ block: 'nearest' }));

  const start = (edit) => {
    const mine = {
      key: edit.key,
      edit,
      text: edit.text,
      reason: '',
      isSaving: false,
      error: undefined,
      keyOf: createKeys(),
    };
    open = mine;
    update();
    setTimeout(() => document.getElementById(`input-${edit.key}`)?.select());
    reveal(edit.key);
    // What is shown may be old by now.
    edit.read().then(
      (resource) => {
        if (open !== mine || mine.isSaving) return;
        const isUntouched = mine.text === mine.edit.text;
        mine.edit = edit.of(resource);
        if (isUntouched) mine.text = mine.edit.text;
        update();
      },
      () => undefined,
    );
  };

  const stop = (key) => {
    open = undefined;
    update();
    focus(`edit-${key}`);
  };

  const save = async (event) => {
    event.preventDefault();
    const mine = open;
    if (mine.isSaving) return;
    Object.assign(mine, { isSaving: true, error: undefined });
    update();
    try {
      const key = mine.keyOf([mine.text, mine.reason]);
      const done = await mine.edit.save(mine.text.trim(), mine.reason.trim(), key);
      if (signal.aborted) return;
      stop(mine.key);
      notify(done);
    } catch (error) {
      mine.keyOf.afterError(error);
      if (error instanceof ChangedMeanwhileError) mine.edit = mine.edit.of(error.resource);
      Object.assign(mine, { isSaving: false, error });
      update();
      if (signal.aborted) return;
      focus(`input-${mine.key}`);
      reveal(mine.key);
    }
  };

  const onKey = (event, key) => {
    if (event.key !== 'Escape' || open.isSaving) return;
    event.preventDefault();
    stop(key);
  };

  const form = ({ edit }) => html`
    <form class="edit" @submit=${save} @keydown=${(event) => onKey(event, edit.key)}>
      <label for="input-${edit.key}">${edit.label}</label>
      <input
        id="input-${edit.key}"
        .value=${live(open.text)}
        inputmode=${edit.inputmode ?? 'text'}
        autocomplete="off"
        spellcheck="false"
        maxlength=${edit.maxlength ?? 40}
        ?readonly=${open.isSaving}
        aria-invalid=${open.error !== undefined}
        aria-describedby=${edit.about && open.error === undefined ? `about-${edit.key}` : nothing}
        @mousedown=${edit.inputmode === 'decimal' ? focusAll : nothing}
        @focus=${edit.inputmode === 'decimal' ? selectAll : nothing}
        @input=${({ target }) => {
          open.text = target.value;
          // What was wrong with the text before; that the value has changed stays true.
          if (!(open.error instanceof ChangedMeanwhileError)) open.error = undefined;
          update();
        }}
      />
      ${edit.about && open.error === undefined ? html`<p class="soft" id="about-${edit.key}" aria-live="polite">${edit.about(open.text)}</p>` : nothing}
      ${
        edit.hasReason
          ? html`<label for="reason-${edit.key}">Reason (optional)</label>
            <input
              id="reason-${edit.key}"
              .value=${live(open.reason)}
              maxlength="200"
              autocomplete="off"
              ?readonly=${open.isSaving}
              placeholder="Delivery, count, broken …"
              @input=${({ target }) => {
                open.reason = target.value;
              }}
            />`
          : nothing
      }
      ${open.error ? errorBox(open.error) : nothing}
      <div class="buttons">
        <button type="button" ?disabled=${open.isSaving} @click=${() => stop(edit.key)}>Cancel</button>
        <button class="primary" aria-disabled=${open.isSaving}>${open.isSaving ? 'Saving …' : 'Save'}</button>
      </div>
    </form>
  `;

  /**
   * @param edit `key` (unique on the page), `label`, `text` (to begin with), `shown`, `read()` that reads the resource again,
   * `of(resource)` that is this edit for it, and `save(text, reason, idempotencyKey)` that returns what to notify of; optionally
   * `about(text)`, `hasReason`, `inputmode`, `maxlength`
   */
  const template = (edit) => html`
    <button type="button" id="edit-${edit.key}" class="value" aria-label="${edit.label}: ${edit.shown}, change" aria-expanded=${open?.key === edit.key} @click=${() => (open?.key === edit.key ? stop(edit.key) : start(edit))}>
      ${edit.shown}
    </button>
    ${open?.key === edit.key ? form(open) : nothing}
  `;
  // What is being saved is not lost, nor what is no longer shown.
  template.hasUnsaved = () =>
    open !== undefined &&
    !open.isSaving &&
    document.getElementById(`input-${open.key}`) !== null &&
    (open.text !== open.edit.text || open.reason !== '');
  return template;
};
