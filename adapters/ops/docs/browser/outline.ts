import { closest, findElement } from './page.ts';

const wide = matchMedia('(min-width: 80.01rem)');

/** In a narrow window the contents of a guide are closed until they are asked for. */
export const foldOutline = (): void => {
  const outline = document.querySelector('.outline');
  if (outline === null) return;
  const details = findElement(outline, 'details', HTMLDetailsElement);
  const openWhereWide = () => {
    details.open = wide.matches;
  };
  openWhereWide();
  wide.addEventListener('change', openWhereWide);
  outline.addEventListener('click', ({ target }) => {
    if (closest(target, 'a') !== null && !wide.matches) details.open = false;
  });
};

/**
 * Marks in contents what is being read: the last target of their links that has reached the upper part of the window.
 * @param contents with links, also to other pages
 */
export const followReading = (contents: Element | null): void => {
  if (contents === null) return;
  const links = [...contents.querySelectorAll<HTMLAnchorElement>('a[href*="#"]')].filter(
    ({ pathname }) => pathname === location.pathname,
  );
  const entries = links.flatMap((link) => {
    const target = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    return target ? [{ link, target }] : [];
  });
  const mark = () => {
    const current = readEntry(entries);
    for (const { link } of entries) {
      if (link !== current?.link) link.removeAttribute('aria-current');
      else if (!link.ariaCurrent) {
        link.ariaCurrent = 'location';
        keepInView(contents, link);
      }
    }
  };
  // The upper quarter of the window: a target that enters or exits it may change what is being read.
  const observer = new IntersectionObserver(mark, { rootMargin: '0px 0px -75% 0px' });
  for (const { target } of entries) observer.observe(target);
  addEventListener('scrollend', mark);
  mark();
};

/** A link, and what it leads to. */
interface Entry {
  readonly link: HTMLAnchorElement;
  readonly target: HTMLElement;
}

/** At the end of the page nothing more can reach the upper part of the window, so the target in the address is read. */
const readEntry = (entries: readonly Entry[]): Entry | undefined => {
  const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
  const isAtEnd = scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 2;
  if (isAtEnd) {
    const named = entries.find(({ target }) => `#${target.id}` === decodeURIComponent(location.hash));
    if (named && named.target.getBoundingClientRect().top >= 0) return named;
    return entries.at(-1);
  }
  const line = innerHeight / 4;
  return entries.findLast(({ target }) => target.getBoundingClientRect().top <= line);
};

/** Scrolls the contents alone. `scrollIntoView` would also scroll the page, against the reader. */
const keepInView = (contents: Element, link: Element): void => {
  const { top, bottom } = link.getBoundingClientRect();
  const frame = contents.getBoundingClientRect();
  if (top < frame.top) contents.scrollTop += top - frame.top - 16;
  if (bottom > frame.bottom) contents.scrollTop += bottom - frame.bottom + 16;
};
