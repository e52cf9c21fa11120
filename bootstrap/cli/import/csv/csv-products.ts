import { detectDelimiter } from '#adapters/files/csv-delimiter.ts';
import type { DecimalSign } from '#adapters/product-files/numbers.ts';
import type { Cells, Preset, PresetReader } from '#adapters/product-files/preset.ts';
import { presetNames, presets } from '#adapters/product-files/presets.ts';
import { isSpreadsheetError } from '#adapters/product-files/ruined-values.ts';
import type { FieldError } from '#domain/errors.ts';
import { didYouMean } from '../../framework/did-you-mean.ts';
import { UsageError } from '../../framework/exit-codes.ts';
import { type Header, metadataPrefix, normalName, type Rename, readHeader } from './header.ts';
import { isOwnColumn, ownColumns, productColumns, productFromCells } from './product-columns.ts';

/** What a CSV file is read by, besides its header. */
export interface CsvOptions {
  readonly preset?: Preset | undefined;
  readonly renames?: readonly Rename[] | undefined;
  readonly ignoreUnknown?: boolean | undefined;
  /** Of rows without one. */
  readonly currency?: string | undefined;
  /** Whether `price_amount` and `stock` hold numbers as people write them, and what separates their decimals; `true`: either. */
  readonly decimal?: DecimalSign | true | undefined;
}

/** The product of a row before it is decoded, or why there is none. */
export type CsvProduct =
  | { readonly input: object; readonly explain: (error: FieldError) => FieldError }
  | { readonly error: string }
  | { readonly skipped: string };

export interface CsvProducts {
  /** The columns that are left out. */
  readonly ignored: readonly string[];
  /** What follows from columns that the file does not have, and what is left out of the rows read so far, a line each. */
  readonly warnings: () => readonly string[];
  /** Reads the next row. @returns undefined for a row of empty cells, which is none */
  readonly read: (row: readonly string[]) => CsvProduct | undefined;
  /** For an export that has several rows for a product: `PresetReader`. */
  readonly groups?: {
    readonly continues: (row: readonly string[]) => boolean;
    readonly begin: (rows: readonly (readonly string[])[]) => void;
  };
}

/** The delimiter that fits the columns of a header. */
export const delimiterOf =
  ({ preset, renames = [] }: CsvOptions) =>
  (header: string): string => {
    const renamed = new Set(renames.map(({ from }) => normalName(from)));
    return detectDelimiter(header, (written) => {
      const name = normalName(written.replace('\ufeff', ''));
      return isKnown(preset, name) || renamed.has(name);
    });
  };

const isKnown = (preset: Preset | undefined, name: string): boolean =>
  isOwnColumn(name) || (preset?.isColumn(name) ?? false);

/** @throws UsageError for a header that cannot be used */
export const openCsvProducts = (cells: readonly string[], options: CsvOptions): CsvProducts => {
  const { preset, renames = [], ignoreUnknown = false } = options;
  const header = readHeader(cells, {
    isKnown: (name) => isKnown(preset, name),
    known: productColumns.map(({ name }) => name),
    renames,
    // An export has columns for which Portico has no field.
    ignoreUnknown: ignoreUnknown || preset !== undefined,
    advice: (unknown) => unknownColumnAdvice(cells, unknown),
  });
  requireColumns(header, options);
  const reader = preset?.open();
  const absences = preset === undefined ? [] : absenceWarnings(header, preset);
  const groups = reader?.groups;
  return {
    ignored: header.ignored,
    warnings: () => [...absences, ...(reader?.warnings() ?? [])],
    read: rowReader(header, options, reader),
    ...(groups && {
      groups: {
        continues: (row) => groups.continues(cellsByName(header, row)),
        begin: (rows) => groups.begin(rows.map((row) => cellsByName(header, row))),
      },
    }),
  };
};

/** In an export in another language, these columns are ignored where nothing maps them. */
const absenceWarnings = ({ names }: Header, { consequences }: Preset): readonly string[] =>
  consequences
    .filter(({ columns }) => !columns.some((column) => names.includes(normalName(column))))
    .map(
      ({ columns: [name], ifAbsent }) =>
        `The header has no column ${name}: ${ifAbsent}. If the file has another name for it, use --map "THAT NAME=${name}".`,
    );

const rowReader = (
  header: Header,
  { preset, currency, decimal }: CsvOptions,
  reader: PresetReader | undefined,
): CsvProducts['read'] => {
  const numbers = {
    currency,
    isDecimal: decimal !== undefined,
    sign: preset === undefined ? (decimal === true ? undefined : decimal) : ('dot' as const),
  };
  const explain = explanationOf(header, preset);
  return (row) => {
    if (row.every((cell) => cell.trim() === '')) return undefined;
    const error = shapeError(header, row);
    if (error !== undefined) return { error };
    const cells = cellsByName(header, row);
    const broken = Object.entries(cells).find(([, cell = '']) => isSpreadsheetError(cell));
    if (broken !== undefined) {
      const [name, cell = ''] = broken;
      const column = header.written.get(name) ?? name;
      return {
        error: `has ${cell.trim()} in the column ${column}, where a spreadsheet could not show a value`,
      };
    }
    const read = reader?.read(cells) ?? { cells };
    if (!('cells' in read)) return read;
    // A column with one of our own names, by --map, goes before the preset's.
    const own = preset === undefined ? {} : ownCells(preset, cells);
    const { object, reasons } = productFromCells({ ...read.cells, ...own }, numbers);
    return { input: object, explain: explain(reasons) };
  };
};

const cellsByName = ({ names }: Header, row: readonly string[]): Cells => {
  const cells: Record<string, string> = {};
  for (const [index, name] of names.entries()) if (name) cells[name] = row[index] ?? '';
  return cells;
};

const ownCells = (preset: Preset, cells: Cells): Cells =>
  Object.fromEntries(Object.entries(cells).filter(([name]) => isOwnColumn(name) && !preset.isColumn(name)));

const shapeError = ({ names }: Header, row: readonly string[]): string | undefined => {
  const length = row.findLastIndex((cell) => cell.trim() !== '') + 1;
  if (row.length < names.length || length > names.length) {
    return `has ${row.length} ${row.length === 1 ? 'cell' : 'cells'}, but the header names ${names.length} columns`;
  }
  const index = names.findIndex((name, at) => name === '' && row[at]?.trim() !== '');
  return index === -1 ? undefined : `has a value in column ${index + 1}, which has no name in the header`;
};

const priceNames = ['price', 'price_amount'];

const requireColumns = ({ names }: Header, { preset, currency }: CsvOptions): void => {
  const has = (wanted: readonly string[]) => wanted.some((name) => names.includes(name));
  if (preset === undefined && priceNames.every((name) => names.includes(name))) {
    throw new UsageError('The header has the columns price and price_amount. Keep one of them.');
  }
  const skuNames = preset?.sources.sku ?? ['sku'];
  if (!has(['sku', ...skuNames])) {
    const ofPreset = preset === undefined ? '' : ` of ${preset.title}`;
    throw new UsageError(
      `The header lacks the required column ${skuNames.at(-1)}${ofPreset}. If the file has another name for it, use --map "THAT NAME=${skuNames.at(-1)}".`,
    );
  }
  const hasPrice = has(preset === undefined ? ['price'] : [...preset.sources.price, ...priceNames]);
  if (!hasPrice || currency !== undefined || has(['price_currency', 'currency'])) return;
  throw new UsageError(
    preset === undefined
      ? 'The header lacks the required column price_currency. Without a column for the currency, add --currency EUR, for example.'
      : `The export of ${preset.title} names no currency. Add --currency EUR, for example.`,
  );
};

const unknownColumnAdvice = (cells: readonly string[], unknown: readonly string[]): string => {
  const all = cells.map(normalName);
  const preset = presetNames.find((name) =>
    Object.values(presets[name].sources).every((names) => names.some((one) => all.includes(one))),
  );
  if (preset !== undefined) return ` For the export of ${presets[preset].title}, use --preset ${preset}.`;
  const meant = unknown.length === 1 ? didYouMean(unknown.join(), ownColumns) : '';
  if (cells.some((cell) => /^\d+([.,]\d+)*$/.test(cell.trim()))) {
    return ' The first line must name the columns, and this one has numbers. Add a line of names above it.';
  }
  return ` Rename columns with --map "THEIR NAME=name", or leave them out with --ignore-unknown.${meant}`;
};

/** Names a field as the file does, and gives the better reason where there is one. */
const explanationOf =
  ({ written }: Header, preset: Preset | undefined) =>
  (reasons: ReadonlyMap<string, string>) =>
  ({ field, message }: FieldError): FieldError => {
    // An item of a list is named by its place in it.
    const [, list = field, place = ''] = /^(image_urls|tags)(\.\d+)$/.exec(field) ?? [];
    const column = list.startsWith(metadataPrefix) ? list : list.replaceAll('.', '_');
    const source = sourcesOf(column, preset).find((name) => written.has(name));
    const label = source === undefined || source === column ? list : (written.get(source) ?? list);
    return { field: label + place, message: reasons.get(field) ?? message };
  };

const sourcesOf = (column: string, preset: Preset | undefined): readonly string[] => {
  if (column === 'price' || column === 'price_amount') {
    return ['price_amount', 'price', ...(preset?.sources.price ?? [])];
  }
  if (column === 'price_currency') return ['price_currency', 'currency'];
  if (column === 'image_urls') return ['image_urls', ...(preset?.imageColumns ?? [])];
  return column === 'sku' || column === 'name' ? [column, ...(preset?.sources[column] ?? [])] : [column];
};
