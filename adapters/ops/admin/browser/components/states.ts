// @ts-nocheck
import { html, nothing } from '../lit.ts';

/**
 * Loads something for a view, and again on demand. What was loaded before stays visible meanwhile.
 * @param load gets a signal that is aborted when the view closes
 */
export const load = ({ signal, update }, load) => {
  const loading = {
    value: undefined,
    error: undefined,
    isLoading: true,
    reload: undefined,
    replace: undefined,
  };
  let latest = 0;
  loading.reload = async () => {
    latest += 1;
    const mine = latest;
    loading.isLoading = true;
    update();
    try {
      const value = await load(signal);
      if (mine !== latest) return;
      Object.assign(loading, { value, error: undefined });
    } catch (error) {
      if (signal.aborted || mine !== latest) return;
      loading.error = error;
    }
    loading.isLoading = false;
    update();
  };
  /** Sets what is known better now. What is being loaded may be older: it is loaded once more. */
  loading.replace = (value) => {
    loading.value = value;
    if (loading.isLoading) loading.reload();
    else update();
  };
  loading.reload();
  return loading;
};

/** Shows what is loaded, or that it is being loaded, or why it cannot be. */
export const show = ({ value, error, isLoading, reload }, template) => html`
  ${error ? errorBox(error, reload) : nothing}
  ${value === undefined ? (isLoading ? loadingLines : nothing) : html`<div aria-busy=${isLoading}>${template(value)}</div>`}
`;

const loadingLines = html`<div class="loading" role="status"><span class="hidden">Loading</span>${[1, 2, 3, 4].map(() => html`<i></i>`)}</div>`;

/** What went wrong, in the API's own words, and what a person can do. */
export const errorBox = (error, retry) => html`
  <div class="error" role="alert">
    <p>${messageOf(error)}</p>
    ${error.code === 'FORBIDDEN' ? html`<p class="soft">${error.message}</p>` : nothing}
    ${(error.details ?? []).length > 0 ? html`<ul>${error.details.map(({ field, message }) => html`<li><b>${field}</b> ${message}</li>`)}</ul>` : nothing}
    ${error.requestId ? html`<p class="soft">Request ${error.requestId}</p>` : nothing}
    ${retry ? html`<button type="button" @click=${retry}>Try again</button>` : nothing}
  </div>
`;

/** What the API's messages for programs mean to a person. */
const meanings = {
  FORBIDDEN: 'You are not allowed to do this.',
  PRECONDITION_FAILED: 'It has changed meanwhile. Go back, look at it again, and repeat.',
  UNREACHABLE: 'The server cannot be reached. Check your connection.',
};

const messageOf = ({ code, message }) => meanings[code] ?? message;

/** What stands in place of an empty list. */
export const emptyState = (title, text) =>
  html`<div class="empty"><p><b>${title}</b></p><p>${text}</p></div>`;
