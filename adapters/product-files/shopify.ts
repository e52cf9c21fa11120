import { createListCells, firstOf, type ListCells, type Preset, pieces, withoutDebt } from './preset.ts';
import type { Cells } from './product.ts';

/** Shopify has renamed columns: the later name comes first. */
const names = {
  handle: ['url_handle', 'handle'],
  title: ['title'],
  description: ['description', 'body_html'],
  sku: ['sku', 'variant_sku'],
  price: ['price', 'variant_price'],
  stock: ['inventory_quantity', 'variant_inventory_qty'],
  tracker: ['inventory_tracker', 'variant_inventory_tracker'],
  published: ['published_on_online_store', 'published'],
  status: ['status'],
  giftCard: ['gift_card'],
  tags: ['tags'],
  image: ['product_image_url', 'image_src'],
  variantImage: ['variant_image_url', 'variant_image'],
} as const;

const options = ['option1_value', 'option2_value', 'option3_value'];

const columns: ReadonlySet<string> = new Set([...Object.values(names).flat(), ...options]);

/** What stands in the first row of a product alone. */
interface Product {
  readonly handle: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly status: string | undefined;
  readonly isGiftCard: boolean;
  readonly tags: string | undefined;
}

/**
 * The export of Shopify: Products, Export. Each variant is a product, named by its options.
 * https://help.shopify.com/en/manual/products/import-export/using-csv
 */
export const shopify: Preset = {
  title: 'Shopify',
  isColumn: (name) => columns.has(name),
  imageColumns: [...names.variantImage, ...names.image],
  consequences: [
    { columns: ['Title'], ifAbsent: 'no product is added' },
    { columns: ['Price', 'Variant Price'], ifAbsent: 'no product is added, and no price changed' },
    {
      columns: ['Status', 'Published', 'Published on online store'],
      ifAbsent: 'drafts that are added become active',
    },
    {
      columns: ['Inventory quantity', 'Variant Inventory Qty'],
      ifAbsent: 'the stock of products that are added is not counted',
    },
  ],
  sources: { sku: names.sku, name: names.title, price: names.price },
  defaults: pieces,
  open: () => {
    let product: Product | undefined;
    let handle: string | undefined;
    let images: readonly string[] | undefined;
    const lists = createListCells();
    return {
      warnings: lists.warnings,
      groups: {
        continues: (cells) => {
          const before = handle;
          handle = firstOf(cells, names.handle);
          return handle === before && firstOf(cells, names.title) === '';
        },
        begin: (rows) => {
          const found = rows.flatMap((cells) => firstOf(cells, names.image) ?? []);
          images = found.length === 0 ? undefined : found.map((url) => url.trim());
        },
      },
      read: (cells) => {
        const isFirst = product === undefined || isNext(product, cells);
        if (isFirst || product === undefined) product = productOf(cells);
        const [sku = '', price] = [firstOf(cells, names.sku), firstOf(cells, names.price)];
        if (!isFirst && sku === '' && !price) {
          return { skipped: 'the row has a further image of the product above it' };
        }
        if (product.isGiftCard) return { skipped: 'a gift card is not a product' };
        return {
          cells: {
            // Shopify puts an apostrophe before digits, so that spreadsheets keep their zeros.
            sku: sku.replace(/^'(?=\d+$)/, ''),
            name: nameOf(product.title, cells),
            price,
            description: product.description,
            status: product.status,
            stock: stockOf(cells),
            tags: lists.tags(product.tags),
            image_urls: imagesOf(cells, images, lists),
          },
        };
      },
    };
  },
};

/** The image of the variant comes before those of the product. */
const imagesOf = (
  cells: Cells,
  images: readonly string[] | undefined,
  lists: ListCells,
): string | undefined => {
  const ownImage = firstOf(cells, names.variantImage)?.trim();
  if (images === undefined && ownImage === undefined) return undefined;
  return lists.images([ownImage ?? '', ...(images ?? [])]);
};

const isNext = ({ handle }: Product, cells: Cells): boolean =>
  firstOf(cells, names.title) !== '' || (firstOf(cells, names.handle) ?? handle) !== handle;

const productOf = (cells: Cells): Product => ({
  handle: firstOf(cells, names.handle) ?? '',
  title: firstOf(cells, names.title),
  description: firstOf(cells, names.description),
  status: statusOf(
    firstOf(cells, names.status)?.trim().toLowerCase(),
    firstOf(cells, names.published)?.trim().toLowerCase(),
  ),
  isGiftCard: firstOf(cells, names.giftCard)?.trim().toLowerCase() === 'true',
  tags: firstOf(cells, names.tags),
});

/** What the shop does not list is a draft here: customers cannot see it. */
const statusOf = (status: string | undefined, published: string | undefined): string | undefined => {
  if (status === 'unlisted') return 'draft';
  if (status !== undefined && status !== '' && status !== 'active') return status;
  if (published === 'false') return 'draft';
  return status || published ? 'active' : undefined;
};

/** `Default Title` is the option of a product without variants. */
const nameOf = (title: string | undefined, cells: Cells): string | undefined => {
  const values = options
    .map((option) => cells[option]?.trim() ?? '')
    .filter((value) => value !== '' && value !== 'Default Title');
  return values.length === 0 || !title ? title : `${title} - ${values.join(' / ')}`;
};

/** A variant without a tracker is not counted. Exports of shops with several locations have no quantity. */
const stockOf = (cells: Cells): string | undefined => {
  const stock = firstOf(cells, names.stock);
  return stock === undefined || firstOf(cells, names.tracker) !== '' ? stock && withoutDebt(stock) : '';
};
