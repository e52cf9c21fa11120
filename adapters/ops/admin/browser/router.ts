// @ts-nocheck
/** Parses what stands behind `#` in the address: `/orders/123?status=paid`. */
export const parseHash = (hash) => {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?');
  return { path: path === '' ? '/' : path, query: new URLSearchParams(query) };
};

/** The address of a view. Parameters that are undefined are left out. */
export const hrefOf = (path, parameters = {}) => {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(given).toString();
  return `#${path}${query === '' ? '' : `?${query}`}`;
};

/**
 * Finds the first route whose pattern matches: `/orders/:id`.
 * @returns the route with the parts of the path by name
 */
export const findRoute = (routes, path) => {
  for (const [pattern, view] of routes) {
    const names = [];
    const expression = pattern.replaceAll(/:(\w+)/g, (_, name) => {
      names.push(name);
      return '([^/]+)';
    });
    const match = new RegExp(`^${expression}$`).exec(path);
    if (match !== null)
      return { view, params: Object.fromEntries(names.map((name, index) => [name, match[index + 1]])) };
  }
  return undefined;
};
