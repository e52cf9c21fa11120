// @ts-nocheck
import { compare } from '../compare.js';
import { reasonOfShortened } from '../ruined.ts';
import { createLookup } from './lookup.ts';

/** How many products of the file are shown, and compared with the shop, at once. */
const pageSize = 20;

/**
 * Compares a plan of an import with the shop, one page after the other.
 * @returns a function that shows another plan, and one that returns what there is to show of it
 */
export const createPreview = (context, file) => {
  const lookup = createLookup(context, file);
  let [page, products, options] = [0, new Map(), {}];

  const shownOf = (number) => [...products.values()].slice(number * pageSize, (number + 1) * pageSize);
  const turn = (to) => {
    page = to;
    lookup.look(shownOf(page));
  };
  return {
    plan: (plan, settings) => {
      [products, options] = [plan.products, settings];
      turn(Math.min(page, Math.max(0, Math.ceil(products.size / pageSize) - 1)));
    },
    current: () => {
      const outcomes = new Map();
      for (const [sku, known] of lookup.found) {
        const product = products.get(sku);
        if (product !== undefined) outcomes.set(sku, compare(product, known, options));
      }
      const leftOut = [...outcomes]
        .filter(([, { kind }]) => kind === 'rejected')
        .map(([sku, { reason, emptied }]) => ({ line: products.get(sku).line, sku, reason, emptied }));
      const shortened = [...lookup.found].flatMap(([sku, { shortened: longer }]) =>
        longer === undefined || !products.has(sku)
          ? []
          : { line: products.get(sku).line, sku, reason: `is ${reasonOfShortened(longer)}` },
      );
      const out = new Set(leftOut.map(({ sku }) => sku));
      return {
        ...{ lookup, outcomes, leftOut, shortened, page, turn, shown: shownOf(page) },
        pages: Math.ceil(products.size / pageSize),
        toSend:
          out.size === 0 ? [...products.values()] : [...products.values()].filter(({ sku }) => !out.has(sku)),
        look: () => lookup.look(shownOf(page)),
      };
    },
  };
};
