import { errorOf } from '../errors.ts';
import { html, nothing, type TemplateResult } from '../lit.ts';
import type { Content, Context } from '../view.ts';

/** What a view loads. */
export interface Loading<Value> {
  /** Undefined until it is loaded. */
  readonly value: Value | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly reload: () => Promise<void>;
  /** Sets what is known better now. What is being loaded may be older: it is loaded once more. */
  readonly replace: (value: Value) => void;
}

/**
 * Loads something for a view, and again on demand. What was loaded before stays visible meanwhile.
 * @param read gets a signal that is aborted when the view closes
 */
export const load = <Value>(
  { signal, update }: Pick<Context, 'signal' | 'update'>,
  read: (signal: AbortSignal) => Promise<Value>,
): Loading<Value> => {
  let latest = 0;
  const reload = async (): Promise<void> => {
    latest += 1;
    const mine = latest;
    loading.isLoading = true;
    update();
    try {
      const value = await read(signal);
      if (mine !== latest) return;
      Object.assign(loading, { value, error: undefined });
    } catch (error) {
      if (signal.aborted || mine !== latest) return;
      loading.error = error;
    }
    loading.isLoading = false;
    update();
  };
  const loading: { value: Value | undefined; error: unknown; isLoading: boolean } & Loading<Value> = {
    value: undefined,
    error: undefined,
    isLoading: true,
    reload,
    replace: (value) => {
      loading.value = value;
      if (loading.isLoading) reload();
      else update();
    },
  };
  reload();
  return loading;
};

/** Shows what is loaded, or that it is being loaded, or why it cannot be. */
export const show = <Value>(
  { value, error, isLoading, reload }: Loading<Value>,
  template: (value: Value) => unknown,
): TemplateResult => html`
  ${error === undefined ? nothing : errorBox(error, reload)}
  ${value === undefined ? (isLoading ? loadingLines : nothing) : html`<div aria-busy=${isLoading}>${template(value)}</div>`}
`;

const loadingLines = html`<div class="loading" role="status"><span class="hidden">Loading</span>${[1, 2, 3, 4].map(() => html`<i></i>`)}</div>`;

/** What went wrong, in the API's own words, and what a person can do. */
export const errorBox = (thrown: unknown, retry?: () => unknown): TemplateResult => {
  const { code, message, details = [], requestId } = errorOf(thrown);
  return html`
    <div class="error" role="alert">
      <p>${meanings[code ?? ''] ?? message}</p>
      ${code === 'FORBIDDEN' ? html`<p class="soft">${message}</p>` : nothing}
      ${details.length > 0 ? html`<ul>${details.map(({ field, message: text }) => html`<li><b>${field}</b> ${text}</li>`)}</ul>` : nothing}
      ${requestId ? html`<p class="soft">Request ${requestId}</p>` : nothing}
      ${retry ? html`<button type="button" @click=${() => retry()}>Try again</button>` : nothing}
    </div>
  `;
};

/** What the API's messages for programs mean to a person. */
const meanings: Readonly<Record<string, string>> = {
  FORBIDDEN: 'You are not allowed to do this.',
  PRECONDITION_FAILED: 'It has changed meanwhile. Go back, look at it again, and repeat.',
  UNREACHABLE: 'The server cannot be reached. Check your connection.',
};

/** What stands in place of an empty list. */
export const emptyState = (title: string, text: Content): TemplateResult =>
  html`<div class="empty"><p><b>${title}</b></p><p>${text}</p></div>`;
