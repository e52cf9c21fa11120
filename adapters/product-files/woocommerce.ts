import { listFromCell } from './composite-cells.ts';
import {
  createListCells,
  firstOf,
  type ListCells,
  type Preset,
  type PresetRow,
  pieces,
  withoutDebt,
} from './preset.ts';
import type { Cells } from './product.ts';

const sources = { sku: ['sku'], name: ['name'], price: ['price', 'regular_price'] } as const;

const columns: ReadonlySet<string> = new Set([
  ...Object.values(sources).flat(),
  ...['type', 'published', 'short_description', 'description', 'in_stock', 'stock'],
  ...['tags', 'images', 'id', 'parent'],
]);

const attribute = /^attribute_\d+_value_s$/;

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
  imageColumns: ['images'],
  consequences: [
    { columns: ['Type'], ifAbsent: 'what cannot be sold by itself is not left out' },
    { columns: ['Name'], ifAbsent: 'no product is added' },
    { columns: ['Regular price', 'Price'], ifAbsent: 'no product is added, and no price changed' },
    { columns: ['Published'], ifAbsent: 'drafts and private products that are added become active' },
    { columns: ['Stock'], ifAbsent: 'the stock of products that are added is not counted' },
  ],
  defaults: pieces,
  open: () => {
    const families: Families = new Map();
    const lists = createListCells();
    return {
      warnings: lists.warnings,
      read: (cells) => {
        const { type: written = '' } = cells;
        const types = written.split(',').map((type) => type.trim().toLowerCase());
        const reason = notProducts.find(([pattern]) => types.some((type) => pattern.test(type)))?.[1];
        if (reason === undefined) return readProduct(unescaped(cells), families, lists);
        if (types.includes('variable')) remember(unescaped(cells), families);
        return { skipped: reason };
      },
    };
  },
};

/** The tags and images of variable products, by their SKUs and ids. Their variations have them, too. */
type Families = Map<string, Pick<Cells, 'tags' | 'images'>>;

const remember = ({ id, sku, tags, images }: Cells, families: Families): void => {
  if (id) families.set(`id:${id.trim()}`, { tags, images });
  if (sku) families.set(sku.trim(), { tags, images });
};

const readProduct = (cells: Cells, families: Families, lists: ListCells): PresetRow => {
  const { sku, stock, in_stock: inStock, published, tags, images, parent = '' } = cells;
  const family = families.get(parent.trim());
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
      tags: lists.tags(tags || family?.tags || tags),
      image_urls:
        images === undefined ? undefined : lists.images(listFromCell(images || (family?.images ?? ''))),
    },
  };
};

/** 1 is published, 0 private, -1 a draft, 2 waits for a review. */
const statusOf = (published: string): string => (published.trim() === '1' ? 'active' : 'draft');

/** WooCommerce leaves the attributes out of the names of some variations, which would then be alike. */
const nameOf = (cells: Cells): string | undefined => {
  const { name, type = '' } = cells;
  if (name === undefined || !/\bvariation\b/i.test(type)) return name;
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
