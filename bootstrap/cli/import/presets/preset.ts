/** The cells of a row by the names of their columns, in normal form. */
export type Cells = Readonly<Record<string, string | undefined>>;

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
  /** What is not known without a column. The first name is for messages; one of them is enough. */
  readonly consequences: readonly { readonly columns: readonly string[]; readonly ifAbsent: string }[];
  /** @returns what reads the rows of one file, in their order; prices come out with a dot before the decimals */
  readonly open: () => (cells: Cells) => PresetRow;
}

/** The first of these columns that the file has. */
export const firstOf = (cells: Cells, names: readonly string[]): string | undefined =>
  names.map((name) => cells[name]).find((cell) => cell !== undefined);

/** Both shops sell below zero. Portico does not, so there is nothing left. */
export const withoutDebt = (stock: string): string => (/^-\d/.test(stock.trim()) ? '0' : stock.trim());
