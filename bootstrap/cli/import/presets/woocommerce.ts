import { type Cells, firstOf, type Preset, type PresetRow, withoutDebt } from './preset.ts';

const sources = { sku: ['sku'], name: ['name'], price: ['price', 'regular_price'] } as const;

const columns: ReadonlySet<string> = new Set([
  ...Object.values(sources).flat(),
  ...['type', 'published', 'short_description', 'description', 'in_stock?', 'stock'],
]);

const attribute = /^attribute_\d+_value\(s\)$/;

/** Types of rows that cannot be ordered by themselves. */
const notProducts: readonly (readonly [RegExp, string])[] = [
  [/^variable/, 'a variable product has no price of its own; its variations are imported'],
  [/^grouped$/, 'a grouped product has no price of its own; its members are imported'],
  [/^external$/, 'an external product is sold on another site'],
];

/**
 * The export of WooCommerce: Products, Export. Each variation is a product.
 * https://github.com/woocommerce/woocommerce/wiki/Product-CSV-Import-Schema
 */
export const woocommerce: Preset = {
  title: 'WooCommerce',
  isColumn: (name) => columns.has(name) || attribute.test(name),
  sources,
  consequences: [
    { columns: ['Type'], ifAbsent: 'what cannot be sold by itself is not left out' },
    { columns: ['Published'], ifAbsent: 'drafts and private products become active' },
    { columns: ['Stock'], ifAbsent: 'no stock is counted' },
  ],
  open: () => (cells) => {
    const { type: written = '' } = cells;
    const types = written.split(',').map((type) => type.trim().toLowerCase());
    const reason = notProducts.find(([pattern]) => types.some((type) => pattern.test(type)))?.[1];
    return reason === undefined ? readProduct(unescaped(cells)) : { skipped: reason };
  },
};

const readProduct = (cells: Cells): PresetRow => {
  const { sku, stock, 'in_stock?': inStock, published } = cells;
  if (stock?.trim().toLowerCase() === 'parent') {
    return {
      error:
        'Stock is "parent", a stock that variations share. Write the number of this variation, or leave the cell empty',
    };
  }
  return {
    cells: {
      sku,
      name: nameOf(cells),
      price: firstOf(cells, sources.price)?.replace(/^\s*(\d+),(\d+)\s*$/, '$1.$2'),
      description: descriptionOf(cells),
      status: published === undefined || published === '' ? published : statusOf(published),
      stock: stock !== '' || inStock?.trim() !== '0' ? stock && withoutDebt(stock) : '0',
    },
  };
};

/** 1 is published, 0 private, -1 a draft, 2 waits for a review. */
const statusOf = (published: string): string => (published.trim() === '1' ? 'active' : 'draft');

/** WooCommerce leaves the attributes out of the names of some variations, which would then be alike. */
const nameOf = (cells: Cells): string => {
  const { name = '', type = '' } = cells;
  if (!/\bvariation\b/i.test(type)) return name;
  const values = Object.keys(cells)
    .filter((column) => attribute.test(column))
    .map((column) => cells[column]?.trim() ?? '');
  const missing = values.filter((value) => value !== '' && !hasWord(name, value));
  return missing.length === 0 ? name : `${name} - ${missing.join(', ')}`;
};

const hasWord = (text: string, word: string): boolean =>
  new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(word)}(?![\\p{L}\\p{N}])`, 'iu').test(text);

/** Line ends are written as `\n`. A variation often has no description. */
const descriptionOf = (cells: Cells): string | undefined => {
  const { description, short_description: short } = cells;
  const text = description || short || description;
  return text?.replaceAll(/\\\\n|\\n/g, (found) => (found === '\\n' ? '\n' : '\\n'));
};

/** WooCommerce puts an apostrophe before a cell that a spreadsheet would run. */
const unescaped = (cells: Cells): Cells =>
  Object.fromEntries(
    Object.entries(cells).map(([name, cell]) => [name, cell?.replace(/^'(?=[=+\-@\t\r])/, '')]),
  );
