/** Parses what stands behind `#` in the address: `/orders/123?status=paid`. */
export const parseHash = (hash: string): { readonly path: string; readonly query: URLSearchParams } => {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?');
  return { path: path === '' ? '/' : path, query: new URLSearchParams(query) };
};

/** The address of a view. Parameters that are undefined are left out. */
export const hrefOf = (
  path: string,
  parameters: Readonly<Record<string, string | number | undefined>> = {},
): string => {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, `${value}`]],
  );
  const query = new URLSearchParams(given).toString();
  return `#${path}${query === '' ? '' : `?${query}`}`;
};

/**
 * Finds the first route whose pattern matches: `/orders/:id`.
 * @returns the route with the parts of the path by name
 */
export const findRoute = <Opens>(
  routes: readonly (readonly [pattern: string, view: Opens])[],
  path: string,
): { readonly view: Opens; readonly params: Readonly<Record<string, string>> } | undefined => {
  for (const [pattern, view] of routes) {
    const names: string[] = [];
    const expression = pattern.replaceAll(/:(\w+)/g, (_, name: string) => {
      names.push(name);
      return '([^/]+)';
    });
    const match = new RegExp(`^${expression}$`).exec(path);
    if (match !== null)
      return { view, params: Object.fromEntries(names.map((name, index) => [name, match[index + 1] ?? ''])) };
  }
  return undefined;
};
