import { inputOf } from '../elements.ts';
import { ChangedMeanwhileError } from '../errors.ts';
import { html, live, nothing, type TemplateResult } from '../lit.ts';
import type { Context } from '../view.ts';
import { focusAll, selectAll } from './dialog.ts';
import { createKeys, type KeyOf } from './keys.ts';
import { errorBox } from './states.ts';

/** A value that is edited where it stands. */
export interface InlineEdit<Resource> {
  /** Unique on the page. */
  readonly key: string;
  readonly label: string;
  /** What is edited, to begin with. */
  readonly text: string;
  readonly shown: string;
  /** Reads the resource again. */
  readonly read: () => Promise<Resource>;
  /** This edit for another state of the resource. */
  readonly of: (resource: Resource) => InlineEdit<Resource>;
  /** @returns what to notify of */
  readonly save: (text: string, reason: string, idempotencyKey: string) => Promise<string>;
  readonly about?: (text: string) => string;
  readonly hasReason?: boolean;
  readonly inputmode?: string;
  readonly maxlength?: number;
}

/** An edit that is under way. */
interface Editing<Resource> {
  readonly key: string;
  edit: InlineEdit<Resource>;
  text: string;
  reason: string;
  isSaving: boolean;
  error: unknown;
  readonly keyOf: KeyOf;
}

/** Shows a value, and edits it on demand. */
interface InlineEdits<Resource> {
  (edit: InlineEdit<Resource>): TemplateResult;
  /** Whether one has been typed and is not saved. */
  readonly hasUnsaved: () => boolean;
}

/**
 * Values that are edited where they stand, one at a time: Enter saves, Escape restores what was there. An error stays beside
 * the input with what was typed, and the same text tried again has the same idempotency key. A value that is loaded again
 * meanwhile does not touch what is being edited.
 */
export const inlineEdits = <Resource>({
  signal,
  update,
  notify,
}: Pick<Context, 'signal' | 'update' | 'notify'>): InlineEdits<Resource> => {
  let open: Editing<Resource> | undefined;

  const focus = (id: string) => setTimeout(() => document.getElementById(id)?.focus());

  const inputFor = (key: string): HTMLInputElement | undefined => {
    const element = document.getElementById(`input-${key}`);
    return element instanceof HTMLInputElement ? element : undefined;
  };

  /** What is being edited may be below the end of the window, and grows with its content. */
  const reveal = (key: string) => setTimeout(() => inputFor(key)?.form?.scrollIntoView({ block: 'nearest' }));

  const start = (edit: InlineEdit<Resource>) => {
    const mine: Editing<Resource> = {
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
    setTimeout(() => inputFor(edit.key)?.select());
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

  const stop = (key: string) => {
    open = undefined;
    update();
    focus(`edit-${key}`);
  };

  const save = async (event: SubmitEvent, mine: Editing<Resource>) => {
    event.preventDefault();
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

  const onKey = (event: KeyboardEvent, { key, isSaving }: Editing<Resource>) => {
    if (event.key !== 'Escape' || isSaving) return;
    event.preventDefault();
    stop(key);
  };

  const form = (editing: Editing<Resource>) => {
    const { edit } = editing;
    return html`
    <form class="edit" @submit=${(event: SubmitEvent) => save(event, editing)} @keydown=${(event: KeyboardEvent) => onKey(event, editing)}>
      <label for="input-${edit.key}">${edit.label}</label>
      <input
        id="input-${edit.key}"
        .value=${live(editing.text)}
        inputmode=${edit.inputmode ?? 'text'}
        autocomplete="off"
        spellcheck="false"
        maxlength=${edit.maxlength ?? 40}
        ?readonly=${editing.isSaving}
        aria-invalid=${editing.error !== undefined}
        aria-describedby=${edit.about && editing.error === undefined ? `about-${edit.key}` : nothing}
        @mousedown=${edit.inputmode === 'decimal' ? focusAll : nothing}
        @focus=${edit.inputmode === 'decimal' ? selectAll : nothing}
        @input=${(event: Event) => {
          editing.text = inputOf(event).value;
          // What was wrong with the text before; that the value has changed stays true.
          if (!(editing.error instanceof ChangedMeanwhileError)) editing.error = undefined;
          update();
        }}
      />
      ${edit.about && editing.error === undefined ? html`<p class="soft" id="about-${edit.key}" aria-live="polite">${edit.about(editing.text)}</p>` : nothing}
      ${
        edit.hasReason
          ? html`<label for="reason-${edit.key}">Reason (optional)</label>
            <input
              id="reason-${edit.key}"
              .value=${live(editing.reason)}
              maxlength="200"
              autocomplete="off"
              ?readonly=${editing.isSaving}
              placeholder="Delivery, count, broken …"
              @input=${(event: Event) => {
                editing.reason = inputOf(event).value;
              }}
            />`
          : nothing
      }
      ${editing.error === undefined ? nothing : errorBox(editing.error)}
      <div class="buttons">
        <button type="button" ?disabled=${editing.isSaving} @click=${() => stop(edit.key)}>Cancel</button>
        <button class="primary" aria-disabled=${editing.isSaving}>${editing.isSaving ? 'Saving …' : 'Save'}</button>
      </div>
    </form>
  `;
  };

  const template = (edit: InlineEdit<Resource>) => html`
    <button type="button" id="edit-${edit.key}" class="value" aria-label="${edit.label}: ${edit.shown}, change" aria-expanded=${open?.key === edit.key} @click=${() => (open?.key === edit.key ? stop(edit.key) : start(edit))}>
      ${edit.shown}
    </button>
    ${open?.key === edit.key ? form(open) : nothing}
  `;
  // What is being saved is not lost, nor what is no longer shown.
  const hasUnsaved = () =>
    open !== undefined &&
    !open.isSaving &&
    inputFor(open.key) !== undefined &&
    (open.text !== open.edit.text || open.reason !== '');
  return Object.assign(template, { hasUnsaved });
};
