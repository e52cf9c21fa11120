import { cellFromList, tagsFromCell } from './composite-cells.ts';
import type { Cells, ProductFields } from './product.ts';

/** The cells of one product by Portico's columns, or why the row is none. */
export type PresetRow =
  | { readonly cells: Cells }
  /** The row is no product. The reason follows `Skipped line 2:`. */
  | { readonly skipped: string }
  /** Follows `line 2:`. */
  | { readonly error: string };

/** Reads the product export of another shop. */
export interface Preset {
  /** The name of the shop's software. */
  readonly title: string;
  /** Whether rows are read by a column. */
  readonly isColumn: (name: string) => boolean;
  /** The columns for each field, for messages. The first that the header has is used; one of them is required. */
  readonly sources: { readonly [Field in 'sku' | 'name' | 'price']: readonly string[] };
  /** The columns of images, for messages. */
  readonly imageColumns: readonly string[];
  /** What is not known without a column. The first name is for messages; one of them is enough. */
  readonly consequences: readonly { readonly columns: readonly string[]; readonly ifAbsent: string }[];
  /** The values of a product that is added where the export has none. */
  readonly defaults: ProductFields;
  readonly open: () => PresetReader;
}

/** Reads the rows of one file, in their order. */
interface PresetReader {
  /** Prices come out with a dot before the decimals. */
  readonly read: (cells: Cells) => PresetRow;
  /** What is left out of the rows read so far, a line each. */
  readonly warnings: () => readonly string[];
  /** For an export that has several rows for a product. */
  readonly groups?: {
    /** Whether a row is about the same product as the row before. */
    readonly continues: (cells: Cells) => boolean;
    /** Gets all rows of a product before the first of them is read. */
    readonly begin: (rows: readonly Cells[]) => void;
  };
}

/** These shops sell whole pieces, and have no column for it. */
export const pieces: Preset['defaults'] = { quantity_step: 1 };

/** How many tags and images a product can have. */
export const maxListed = { tags: 20, images: 10 } as const;

/** The first of these columns that the file has. */
export const firstOf = (cells: Cells, names: readonly string[]): string | undefined =>
  names.map((name) => cells[name]).find((cell) => cell !== undefined);

/** Both shops sell below zero. Portico does not, so there is nothing left. */
export const withoutDebt = (stock: string): string => (/^-\d/.test(stock.trim()) ? '0' : stock.trim());

/** Makes cells of tags and images, and counts the products that have more of them than Portico keeps. */
export interface ListCells {
  /** Splits a cell of tags at its commas, and writes each as Portico does: `Été 2026` becomes `ete-2026`. */
  readonly tags: (cell: string | undefined) => string | undefined;
  readonly images: (urls: readonly string[]) => string;
  readonly warnings: () => readonly string[];
}

export const createListCells = (): ListCells => {
  const cut = { tags: 0, images: 0 };
  const first = (what: keyof typeof cut, items: readonly string[]): string => {
    const once = [...new Set(items)].filter((item) => item !== '');
    if (once.length > maxListed[what]) cut[what] += 1;
    return cellFromList(once.slice(0, maxListed[what]));
  };
  const warning = (what: keyof typeof cut): readonly string[] => {
    if (cut[what] === 0) return [];
    const products = cut[what] === 1 ? '1 product has' : `${cut[what]} products have`;
    return [`${products} more than ${maxListed[what]} ${what}: the first ${maxListed[what]} are imported.`];
  };
  return {
    tags: (cell) => cell && first('tags', tagsFromCell(cell)),
    images: (urls) => first('images', urls),
    warnings: () => [...warning('tags'), ...warning('images')],
  };
};
