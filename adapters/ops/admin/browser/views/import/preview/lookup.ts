import type { PlannedProduct } from '../../../../product-files/plan.ts';
import { withLeadingZeros } from '../../../../product-files/ruined-values.ts';
import type { Product } from '../../../resources.ts';
import type { Context } from '../../../view.ts';
import type { ImportFile } from '../file.ts';
import { retryAfter429, workThrough } from '../retry-after-429.ts';
import { isAddedBefore } from '../stock.ts';

/** What the shop has of a product of a file. */
interface Found {
  /** Null for a product that is new. */
  readonly existing: Product | null;
  /** Undefined where nothing is added to its stock. */
  readonly isAddedBefore: boolean | undefined;
  /** The SKU of another product that differs only by zeros at the front. */
  readonly shortened: string | undefined;
}

/** The products of a file as the shop has them, once each. */
export interface Lookup {
  /** By SKU. */
  readonly found: ReadonlyMap<string, Found>;
  readonly isSearching: boolean;
  /** What has ended it. */
  readonly error: unknown;
  /** Begins with other products. */
  readonly search: (products: readonly PlannedProduct[]) => Promise<void>;
}

/** @param context its `signal` ends it */
export const createLookup = (
  context: Pick<Context, 'api' | 'signal' | 'update'>,
  file: ImportFile,
): Lookup => {
  const { signal, update } = context;
  const found = new Map<string, Found>();
  let latest = 0;

  const findBySku = async (sku: string): Promise<Product | undefined> =>
    (await retryAfter429(context, (api) => api.send('GET /products', { query: { sku }, signal }))).data[0];
  const find = async ({ sku, added = 0 }: PlannedProduct): Promise<void> => {
    const existing = (await findBySku(sku)) ?? null;
    const isBefore = added > 0 && existing !== null && (await isAddedBefore(context, file, existing.id));
    const shortened = existing === null ? await findShortened(sku) : undefined;
    found.set(sku, { existing, isAddedBefore: added > 0 ? isBefore : undefined, shortened });
  };
  const findShortened = async (sku: string): Promise<string | undefined> => {
    for (const longer of withLeadingZeros(sku)) if ((await findBySku(longer)) !== undefined) return longer;
    return undefined;
  };
  const isKnown = ({ sku, added = 0 }: PlannedProduct): boolean => {
    const known = found.get(sku);
    return known !== undefined && !(added > 0 && known.isAddedBefore === undefined);
  };

  const state: { isSearching: boolean; error: unknown } = { isSearching: false, error: undefined };
  const search = async (products: readonly PlannedProduct[]): Promise<void> => {
    latest += 1;
    const mine = latest;
    const isEnded = () => signal.aborted || mine !== latest;
    const unknown = products.filter((product) => !isKnown(product));
    Object.assign(state, { isSearching: unknown.length > 0, error: undefined });
    update();
    try {
      await workThrough(unknown, isEnded, find);
    } catch (error) {
      state.error = error;
    }
    if (isEnded()) return;
    state.isSearching = false;
    update();
  };
  return Object.assign(state, { found, search });
};
