import { closest, findElement } from './page.ts';

/** What a reader does to go elsewhere. */
const gestures = ['wheel', 'touchstart', 'pointerdown', 'keydown'];

/** Bounds how long the page may still grow around the target of a link, in milliseconds. */
const settleMs = 2_000;

/** Ends the scrolling to the previous target. */
let settled = new AbortController();

/**
 * Shows what the address names: unfolds what it is in, and scrolls there. What is above may still grow, as it is drawn only when
 * it comes near, so this repeats until the page has its size, or the reader does something.
 */
const showTarget = (): void => {
  const target = document.getElementById(decoded(location.hash.slice(1)));
  settled.abort();
  settled = new AbortController();
  if (target === null) return;
  for (
    let folded = target.closest('details');
    folded;
    folded = folded.parentElement?.closest('details') ?? null
  )
    folded.open = true;
  const { signal } = settled;
  const observer = new ResizeObserver(() => target.scrollIntoView());
  observer.observe(findElement(document, '#main', HTMLElement));
  const stop = () => observer.disconnect();
  signal.addEventListener('abort', stop);
  for (const name of gestures) addEventListener(name, stop, { signal, passive: true });
  setTimeout(stop, settleMs);
};

/** Some programs encode the signs of a link that is sent with them, and some do so wrongly. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

export const followTargets = (): void => {
  addEventListener('hashchange', showTarget);
  // A link to where the page already is fires no `hashchange`.
  document.addEventListener('click', ({ target }) => {
    const link = closest(target, 'a[href]');
    if (
      link instanceof HTMLAnchorElement &&
      link.pathname === location.pathname &&
      link.hash !== '' &&
      link.hash === location.hash
    )
      showTarget();
  });
  showTarget();
};
