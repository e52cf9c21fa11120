import { compare, type Outcome } from '../../../../product-files/compare.ts';
import type { Plan, PlannedProduct } from '../../../../product-files/plan.ts';
import { shortenedText } from '../../../../product-files/ruined-values.ts';
import type { Product } from '../../../resources.ts';
import type { Context } from '../../../view.ts';
import type { ImportFile } from '../file.ts';
import type { OmittedLine } from '../send.ts';
import { type ImportSettings, optionsOf } from '../settings.ts';
import { createLookup, type Lookup } from './lookup.ts';

/** How many products of the file are shown, and compared with the shop, at once. */
const pageSize = 20;

/** What there is to show of a plan. */
export interface Preview {
  readonly lookup: Lookup;
  /** What becomes of products, as far as they are looked up, by SKU. */
  readonly outcomes: ReadonlyMap<string, Outcome<Product>>;
  readonly omitted: readonly OmittedLine[];
  readonly shortened: readonly OmittedLine[];
  readonly page: number;
  readonly pages: number;
  readonly turn: (page: number) => void;
  readonly shown: readonly PlannedProduct[];
  readonly toSend: readonly PlannedProduct[];
  /** Compares what is shown again. */
  readonly search: () => void;
}

/** Compares the plans of a file with the shop, one page after the other. */
export interface Previews {
  /** Shows another plan. */
  readonly plan: (plan: Plan, settings: ImportSettings) => void;
  readonly current: () => Preview;
}

export const createPreview = (context: Context, file: ImportFile): Previews => {
  const lookup = createLookup(context, file);
  let page = 0;
  let products: Plan['products'] = new Map();
  let settings: ImportSettings | undefined;

  const shownOf = (number: number): readonly PlannedProduct[] =>
    [...products.values()].slice(number * pageSize, (number + 1) * pageSize);
  const turn = (to: number): void => {
    page = to;
    lookup.search(shownOf(page));
  };
  return {
    plan: (plan, chosen) => {
      [products, settings] = [plan.products, chosen];
      turn(Math.min(page, Math.max(0, Math.ceil(products.size / pageSize) - 1)));
    },
    current: () => {
      const outcomes = new Map<string, Outcome<Product>>();
      const omitted: OmittedLine[] = [];
      const shortened: OmittedLine[] = [];
      for (const [sku, known] of lookup.found) {
        const product = products.get(sku);
        if (product === undefined || settings === undefined) continue;
        const { line } = product;
        const outcome = compare(product, known, optionsOf(settings));
        outcomes.set(sku, outcome);
        if (outcome.kind === 'rejected') omitted.push({ line, sku, ...outcome });
        if (known.shortened !== undefined)
          shortened.push({ line, sku, reason: `is ${shortenedText(known.shortened)}` });
      }
      const out = new Set(omitted.map(({ sku }) => sku));
      return {
        ...{ lookup, outcomes, omitted, shortened, page, turn, shown: shownOf(page) },
        pages: Math.ceil(products.size / pageSize),
        toSend: [...products.values()].filter(({ sku }) => !out.has(sku)),
        search: () => lookup.search(shownOf(page)),
      };
    },
  };
};
