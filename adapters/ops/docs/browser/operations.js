import { createElement } from './page.js';

/**
 * Lists the operations beside the reference, and lets links open them: `#POST/v1/orders`.
 * @param open expands an operation, by its tag and id
 */
export const listOperations = (openapi, open) => {
  const operations = Object.entries(openapi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      link: `#${method.toUpperCase()}${path}`,
      method,
      path,
      tag: operation.tags[0],
      summary: operation.summary,
      id: operation.operationId,
    })),
  );
  const byTag = Object.entries(Object.groupBy(operations, ({ tag }) => tag));
  document.querySelector('#operation-list').replaceChildren(...byTag.map(groupOf));
  const openLink = (hash) => {
    const operation = operations.find(({ link }) => link === decoded(hash));
    if (operation === undefined) return;
    open(operation.tag, operation.id);
    reveal(operation);
  };
  // A link to where the page already is fires no `hashchange`.
  document.addEventListener('click', ({ target }) => {
    const link = target.closest('a[href^="#"]');
    if (link?.hash === location.hash) openLink(location.hash);
  });
  addEventListener('hashchange', () => openLink(location.hash));
  openLink(location.hash);
};

const titleOf = (tag) => `${tag.charAt(0).toUpperCase()}${tag.slice(1).replaceAll('-', ' ')}`;

const groupOf = ([tag, operations]) =>
  createElement(
    'details',
    {},
    createElement('summary', {}, titleOf(tag)),
    createElement('ul', {}, ...operations.map(itemOf)),
  );

const itemOf = ({ name, method, link, summary }) => {
  const label = method === 'delete' ? 'DEL' : method.toUpperCase();
  const badge = createElement('b', { className: `method ${method}` }, label);
  return createElement('li', {}, createElement('a', { href: link, title: name }, badge, summary));
};

/** Some programs encode the braces of a link that is sent with them. */
const decoded = (hash) => {
  try {
    return decodeURIComponent(hash);
  } catch {
    return hash;
  }
};

/** What a reader does to look elsewhere. */
const gestures = ['wheel', 'touchstart', 'pointerdown', 'keydown'];

/** Bounds how long the page may still grow around an operation that was opened, in milliseconds. */
const settleMs = 3_000;

/** Ends the scrolling to the operation that was opened last. */
let settled = new AbortController();

/**
 * Scrolls to an operation. After a load, Swagger UI is still rendering it and what is above, so this repeats until the page
 * has its size, or the reader does something.
 *
 * In a narrow window the contents cover the page, so they close first.
 */
const reveal = ({ method, path }) => {
  if (matchMedia('(max-width: 60rem)').matches) document.querySelector('#contents').open = false;
  settled.abort();
  settled = new AbortController();
  const { signal } = settled;
  let isFocused = false;
  const scroll = () => {
    const block = document
      .querySelector(`.opblock-${method} [data-path="${CSS.escape(path)}"]`)
      ?.closest('.opblock');
    block?.scrollIntoView({ block: 'start' });
    if (isFocused) return;
    const control = block?.querySelector('.opblock-summary-control');
    control?.focus({ preventScroll: true });
    isFocused = control !== null && control !== undefined;
  };
  const observer = new ResizeObserver(scroll);
  observer.observe(document.querySelector('#main'));
  signal.addEventListener('abort', () => observer.disconnect());
  for (const name of gestures) addEventListener(name, () => observer.disconnect(), { signal, passive: true });
  setTimeout(() => observer.disconnect(), settleMs);
  scroll();
};
