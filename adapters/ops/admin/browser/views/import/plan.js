import { addQuantities } from './compare.js';
import { readThousandths } from './numbers.js';
import { productOf, textsOf } from './products.js';
import { isSpreadsheetError, roundingOf, ruinOf } from './ruined.ts';
import { yieldToBrowser } from './yield-to-browser.ts';

/** How many rows are read before the browser may do other work. */
const blockSize = 250;

/**
 * Reads all rows as products. Of several valid rows with one SKU, a field that comes again counts as the last row has it, and what is
 * added to the stock is summed.
 * @param settings `stock` is what the column for the stock does, as in `stockUses`
 * @param signal ends it
 * @returns `products` by their SKUs (`line`, `sku`, `texts`, `fields`, `added`, and as `undecided`
 * a stock of which is not known what it does), `rejected` (`line`, `sku`, `reason`), rows that are `repeated` (`line`, `sku`, and the
 * line `before`), and those of which a spreadsheet may have `ruined` the SKU or a number in metadata, as `rejected`; undefined when it was ended
 */
export const planImport = async ({ header, rows, rejected: unreadable }, settings, signal) => {
  const products = new Map();
  const rejected = [...unreadable];
  const repeated = [];
  const ruined = [];
  for (const [index, { line, cells }] of rows.entries()) {
    if (index > 0 && index % blockSize === 0) {
      await yieldToBrowser();
      if (signal.aborted) return undefined;
    }
    const all = textsOf(cells, header, settings.chosen);
    if (cells.length > header.length && cells.slice(header.length).some((cell) => cell.trim() !== '')) {
      const reason = `has ${cells.length} cells, but the first line names ${header.length} columns`;
      rejected.push({ line, sku: all.sku?.trim(), reason });
      continue;
    }
    const broken = brokenCell(cells, header, settings.chosen);
    if (broken !== undefined) {
      rejected.push({ line, sku: all.sku?.trim(), reason: broken });
      continue;
    }
    const { texts, added, undecided, error } = withoutStock(all, settings);
    const { sku, fields, errors } = productOf(texts, settings);
    if (error !== undefined) errors.push(`stock ${error}`);
    if (errors.length > 0) {
      rejected.push({ line, sku, reason: errors.join('; ') });
      continue;
    }
    const ruin = ruinOf(sku);
    if (ruin !== undefined) ruined.push({ line, sku, reason: `is ${ruin}` });
    for (const [name, text] of Object.entries(fields.metadata ?? {})) {
      const rounding = roundingOf(`${text}`);
      if (rounding !== undefined) ruined.push({ line, sku, reason: `has ${text} as ${name}, ${rounding}` });
    }
    const before = products.get(sku);
    if (before === undefined) {
      products.set(sku, { line, sku, texts, fields, added, undecided });
      continue;
    }
    repeated.push({ line, sku, before: before.line });
    const merged = { ...before.texts, ...texts };
    products.set(sku, {
      ...{ line, sku, texts: merged, fields: productOf(merged, settings).fields },
      added: added === undefined ? before.added : addQuantities(before.added ?? 0, added),
      undecided: undecided || before.undecided,
    });
  }
  rejected.sort((one, other) => one.line - other.line);
  return { products, rejected, repeated, ruined };
};

/** @returns why a row cannot be read of which a cell is an error of a spreadsheet; undefined for any other */
const brokenCell = (cells, header, chosen) => {
  const at = chosen.findIndex(
    (field, index) => field !== undefined && isSpreadsheetError(cells[index] ?? ''),
  );
  return at === -1
    ? undefined
    : `has ${cells[at].trim()} in the column ${header[at].trim() || at + 1}, where a spreadsheet could not show a value`;
};

/** A stock that does not replace is no field of the product. */
const withoutStock = (all, { stock: use, sign }) => {
  if (use === 'replace' || all.stock === undefined) return { texts: all };
  const { stock, ...texts } = all;
  if (use === undefined) return { texts, undecided: stock.trim() };
  if (use !== 'add' || stock.trim() === '') return { texts };
  const { value, error } = readThousandths(stock.trim(), sign, true);
  return { texts, added: value, error };
};
