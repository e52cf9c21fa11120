import { closest, createElement } from './page.ts';
import { find, type Index, loadIndex } from './search-rank.ts';
import { groupsOf } from './search-results.ts';

/** The elements of the dialog: a combobox whose list is always shown (ARIA Authoring Practices, "combobox"). */
const createDialog = () => {
  const input = createElement('input', {
    ...{ type: 'text', role: 'combobox', autocomplete: 'off', spellcheck: false, enterKeyHint: 'go' },
    ...{ ariaLabel: 'Search', placeholder: 'A word, an operation, a field, an error code …' },
    ...{ ariaAutoComplete: 'list', ariaExpanded: 'false' },
  });
  input.setAttribute('autocapitalize', 'off');
  input.setAttribute('aria-controls', 'search-results');
  const list = createElement('div', { id: 'search-results', role: 'listbox', ariaLabel: 'Results' });
  const status = createElement('p', { className: 'search-status', role: 'status' });
  const close = createElement('button', { type: 'button', className: 'search-close' }, 'Close');
  const dialog = createElement(
    'dialog',
    { className: 'search', ariaLabel: 'Search the docs' },
    createElement('div', { className: 'search-field' }, input, close),
    status,
    list,
  );
  document.body.append(dialog);
  return { dialog, input, list, status, close };
};

const hint = 'Searches the guides, operations, fields, error codes, events, settings and commands.';

let elements: ReturnType<typeof createDialog> | undefined;
let index: Index | undefined;

/** Opens the search, with the last query. What can be found is loaded when it is opened first. */
export const openSearch = async (): Promise<void> => {
  elements ??= start();
  const { dialog, input, status } = elements;
  if (!dialog.open) dialog.showModal();
  input.select();
  if (index === undefined) {
    status.textContent = 'Loading …';
    try {
      index = await loadIndex();
    } catch {
      status.textContent = 'Search cannot be loaded. Check that the server runs, then try again.';
      return;
    }
  }
  showResults();
};

const start = () => {
  const created = createDialog();
  const { dialog, input, list, close } = created;
  input.addEventListener('input', showResults);
  dialog.addEventListener('keydown', (event) => handleKey(created, event));
  close.addEventListener('click', () => dialog.close());
  // The pointer is on the dialog itself only where its backdrop is.
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
    if (
      closest(event.target, '[role="option"]') !== null &&
      !event.ctrlKey &&
      !event.metaKey &&
      !event.shiftKey
    )
      dialog.close();
  });
  list.addEventListener('pointermove', ({ target }) => {
    const option = closest(target, '[role="option"]');
    if (option !== null) select(created, option, { isScrolled: false });
  });
  return created;
};

const showResults = (): void => {
  if (index === undefined || elements === undefined) return;
  const { input, list, status } = elements;
  const query = input.value.trim();
  const { entries, words } = find(index, query);
  const groups = groupsOf(entries, words);
  list.replaceChildren(...groups);
  list.scrollTop = 0;
  const options = list.querySelectorAll('[role="option"]');
  input.ariaExpanded = `${options.length > 0}`;
  select(elements, options[0]);
  status.textContent = statusOf(query, options.length);
};

const statusOf = (query: string, count: number): string => {
  if (query === '') return hint;
  if (count === 0) return `Nothing is found for “${query}”. Try fewer or other words.`;
  return count === 1 ? '1 result' : `${count} results`;
};

type Elements = ReturnType<typeof createDialog>;

const select = (
  { input, list }: Elements,
  option: Element | undefined,
  { isScrolled = true }: { readonly isScrolled?: boolean } = {},
): void => {
  for (const selected of list.querySelectorAll('[aria-selected="true"]')) selected.ariaSelected = 'false';
  if (option === undefined) {
    input.removeAttribute('aria-activedescendant');
    return;
  }
  option.ariaSelected = 'true';
  input.setAttribute('aria-activedescendant', option.id);
  if (isScrolled) option.scrollIntoView({ block: 'nearest' });
};

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

const handleKey = (shown: Elements, event: KeyboardEvent): void => {
  const { input, list } = shown;
  if (event.target !== input || event.isComposing) return;
  const options = [...list.querySelectorAll('[role="option"]')];
  const place = options.findIndex(({ ariaSelected }) => ariaSelected === 'true');
  const step = steps[event.key];
  if (step !== undefined && options.length > 0) {
    event.preventDefault();
    select(shown, options.at((place + step) % options.length));
  } else if (event.key === 'Enter' && place >= 0) {
    event.preventDefault();
    options[place]?.dispatchEvent(
      new MouseEvent('click', {
        bubbles: true,
        cancelable: true,
        ctrlKey: event.ctrlKey,
        metaKey: event.metaKey,
      }),
    );
  }
};
