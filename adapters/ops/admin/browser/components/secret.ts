import { catchFocus, find } from '../elements.ts';
import { html, nothing, render } from '../lit.ts';
import type { Context } from '../view.ts';

interface Secret {
  readonly title: string;
  readonly text: string;
  readonly label: string;
  readonly secret: string;
}

/**
 * Shows a secret that cannot be read again. It is in this dialog only, which is removed when it closes or the view does. Closing
 * without a copy is asked about once. Nothing is shown once the view has closed.
 */
export const showSecret = (
  { signal }: Pick<Context, 'signal'>,
  { title, text, label, secret }: Secret,
): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const dialog = document.createElement('dialog');
    dialog.setAttribute('aria-labelledby', 'secret-title');
    document.body.append(dialog);
    const { href } = location;
    const closing = new AbortController();
    let [result, isCopied, isAsked] = ['', false, false];

    const copy = async () => {
      result = await copyFrom(find(dialog, 'input', HTMLInputElement));
      isCopied = true;
      draw();
    };
    const close = () => {
      if (isCopied || isAsked) return dialog.close();
      isAsked = true;
      draw();
    };
    const draw = () => render(template(), dialog);
    const template = () => html`
      <h2 id="secret-title">${title}</h2>
      <p>${text}</p>
      <div class="secret">
        <label class="field"><span>${label}</span><input readonly .value=${secret} autocomplete="off" spellcheck="false" /></label>
        <button type="button" class="primary" @click=${copy}>Copy</button>
      </div>
      <p role="status">${result}</p>
      ${isAsked && !isCopied ? html`<div class="error" role="alert"><p>You have not copied it, and it cannot be shown again. Close it all the same?</p></div>` : nothing}
      <div class="buttons"><button type="button" @click=${close}>${isAsked && !isCopied ? 'Close without a copy' : 'Done'}</button></div>
    `;

    const { signal: closed } = closing;
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      close();
    });
    addEventListener('beforeunload', (event) => event.preventDefault(), { signal: closed });
    // One more entry for the same address: the browser's way back comes here first.
    history.pushState(null, '', href);
    addEventListener(
      'popstate',
      () => {
        if (location.href !== href) return;
        isAsked = true;
        draw();
      },
      { signal: closed },
    );
    dialog.addEventListener('close', () => {
      closing.abort();
      render(nothing, dialog);
      dialog.remove();
      catchFocus();
      resolve();
    });
    signal.addEventListener('abort', () => dialog.close(), { signal: closed });
    draw();
    dialog.showModal();
  });

/** Browsers offer the clipboard only on secure origins: HTTPS or this machine. @returns the result, for people */
const copyFrom = async (input: HTMLInputElement): Promise<string> => {
  input.select();
  try {
    await navigator.clipboard.writeText(input.value);
    return 'Copied.';
  } catch {
    input.focus();
    return 'It is selected: copy it with Ctrl+C, or ⌘C on a Mac.';
  }
};
