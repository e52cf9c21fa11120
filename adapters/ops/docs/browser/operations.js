import { make } from './make.js';

/**
 * Lists the operations beside the reference, and lets links open them: `#POST/v1/orders`.
 * @param open shows an operation, by its tag and id
 */
export const listOperations = (description, open) => {
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
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
  const follow = (hash) => {
    const found = operations.find(({ link }) => link === hash);
    if (found === undefined) return;
    open(found.tag, found.id);
    show(found);
  };
  document.addEventListener('click', ({ target }) => {
    const link = target.closest('a[href^="#"]');
    if (link?.hash === location.hash) follow(location.hash);
  });
  addEventListener('hashchange', () => follow(location.hash));
  follow(location.hash);
};

const titleOf = (tag) => `${tag.charAt(0).toUpperCase()}${tag.slice(1).replaceAll('-', ' ')}`;

const groupOf = ([tag, operations]) =>
  make(
    'details',
    {},
    make('summary', {}, titleOf(tag)),
    make(
      'ul',
      {},
      ...operations.map(({ name, method, link, summary }) => {
        const kind = make(
          'b',
          { className: `method ${method}` },
          method === 'delete' ? 'DEL' : method.toUpperCase(),
        );
        return make('li', {}, make('a', { href: link, title: name }, kind, summary));
      }),
    ),
  );

/** The list lies over the page in a narrow window, and gives way to what was chosen. */
const show = ({ method, path }) => {
  if (matchMedia('(max-width: 60rem)').matches) document.querySelector('#contents').open = false;
  const block = document
    .querySelector(`.opblock-${method} [data-path="${CSS.escape(path)}"]`)
    ?.closest('.opblock');
  block?.scrollIntoView({ block: 'start' });
  block?.querySelector('.opblock-summary-control')?.focus({ preventScroll: true });
};
