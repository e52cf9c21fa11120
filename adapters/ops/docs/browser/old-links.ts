/** Links of earlier versions name an operation by its method and path: `/docs#POST/v1/orders`. Some programs encode its braces. */
const follow = (): void => {
  const [, method, path] = /^#([A-Z]+)(\/.*)$/.exec(location.hash) ?? [];
  if (path === undefined) return;
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-operation]')) {
    const operation = link.dataset['operation'];
    if (operation === `${method} ${path}` || operation === `${method} ${decoded(path)}`)
      location.replace(link.href);
  }
};

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

addEventListener('hashchange', follow);
follow();
