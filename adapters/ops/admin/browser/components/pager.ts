import { html, nothing } from '../lit.ts';
import type { ListPage } from '../resources.ts';
import type { Content } from '../view.ts';

/**
 * Links to the next page and to the first. The way back is the browser's.
 * @param hrefOf the address of a page by its cursor; the first has none
 */
export const pager = (
  { next_cursor: next }: ListPage<unknown>['pagination'],
  cursor: string | undefined,
  hrefOf: (cursor: string | undefined) => string,
): Content =>
  next === null && cursor === undefined
    ? nothing
    : html`<nav class="pager" aria-label="Pages">
        ${cursor === undefined ? nothing : html`<a class="button" href=${hrefOf(undefined)}>First page</a>`}
        ${next === null ? nothing : html`<a class="button" href=${hrefOf(next)}>Next page</a>`}
      </nav>`;
