// @ts-nocheck
import { sendAfter429, workThrough } from '../retry-after-429.ts';
import { withLeadingZeros } from '../ruined.ts';
import { isAddedBefore } from '../stock.ts';

/**
 * Looks products of a file up in the shop, once each.
 * @param context its `signal` ends it
 * @returns `found` (`existing`, null for a product that is new, and `isAddedBefore`, and as `shortened` the SKU of
 * another product that differs only by zeros at the front) by SKU; whether it `isLooking`; the `error` that has
 * ended it; and `look`, which begins with other products
 */
export const createLookup = ({ api, signal, update }, file) => {
  const send = (target, request) => sendAfter429(api, signal, target, request);
  const lookup = { found: new Map(), isLooking: false, error: undefined, look: undefined };
  let latest = 0;

  const lookUp = async ({ sku, added }) => {
    const { data } = await send('GET /products', { query: { sku } });
    const [existing = null] = data;
    const isBefore = added > 0 && existing !== null && (await isAddedBefore(send, file, existing.id));
    const shortened = existing === null ? await findShortened(sku) : undefined;
    lookup.found.set(sku, { existing, isAddedBefore: added > 0 ? isBefore : undefined, shortened });
  };
  const findShortened = async (sku) => {
    for (const longer of withLeadingZeros(sku)) {
      const { data } = await send('GET /products', { query: { sku: longer } });
      if (data.length > 0) return longer;
    }
    return undefined;
  };
  const isKnown = ({ sku, added }) => {
    const known = lookup.found.get(sku);
    return known !== undefined && !(added > 0 && known.isAddedBefore === undefined);
  };

  lookup.look = async (products) => {
    latest += 1;
    const mine = latest;
    const isEnded = () => signal.aborted || mine !== latest;
    const unknown = products.filter((product) => !isKnown(product));
    Object.assign(lookup, { isLooking: unknown.length > 0, error: undefined });
    update();
    try {
      await workThrough(unknown, isEnded, lookUp);
    } catch (error) {
      lookup.error = error;
    }
    if (isEnded()) return;
    lookup.isLooking = false;
    update();
  };
  return lookup;
};
