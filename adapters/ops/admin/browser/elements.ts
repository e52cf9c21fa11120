// @ts-nocheck
/**
 * Focuses the heading of the view where nothing has the focus, because what had it is gone: a keyboard or a screen reader would begin
 * at the top of the page again.
 */
export const catchFocus = () => {
  if (document.activeElement !== document.body) return;
  document.querySelector('main h1')?.focus({ preventScroll: true });
};
