import { metadataPrefix, normalName } from '#adapters/product-files/columns.ts';
import { type Delimiter, delimiterOf } from '#adapters/product-files/delimiter.ts';
import { columnOf } from '#adapters/product-files/guess-columns.ts';
import type { DecimalSign } from '#adapters/product-files/numbers.ts';
import type { Preset } from '#adapters/product-files/preset.ts';
import type { ProductOptions } from '#adapters/product-files/product.ts';
import { createRowReader, type FileColumns, type RowReader } from '#adapters/product-files/rows.ts';
import type { FieldError } from '#domain/errors.ts';
import { Money } from '#domain/money.ts';
import { type HeaderOptions, knownColumn, readHeader } from './header.ts';

/** What a CSV file is read by, besides its header. */
export interface CsvOptions extends HeaderOptions {
  /** Whether `price_amount` and `stock` hold numbers as people write them, and what separates their decimals; `true`: either. */
  readonly decimal?: DecimalSign | true | undefined;
}

export interface CsvProducts {
  readonly reader: RowReader;
  /** The columns that are left out. */
  readonly ignored: readonly string[];
  /** What follows from columns that the file does not have, and what is left out of the rows read so far, a line each. */
  readonly warnings: () => readonly string[];
  /** Names a field as the file does. */
  readonly explain: (error: FieldError) => FieldError;
}

/** The delimiter that fits the columns of a header. */
export const delimiterFor =
  ({ preset, renames = [] }: CsvOptions) =>
  (header: string): Delimiter => {
    const renamed = new Set(renames.map(({ from }) => normalName(from)));
    return delimiterOf(header, (written) => {
      const name = normalName(written.replace('\ufeff', ''));
      return columnOf(name) !== undefined || knownColumn(name, preset) !== undefined || renamed.has(name);
    });
  };

/** @throws UsageError for a header that cannot be used */
export const openCsvProducts = (cells: readonly string[], options: CsvOptions): CsvProducts => {
  const { preset, currency } = options;
  const file = readHeader(cells, options);
  const reader = createRowReader(file, {
    ...{ preset, currency, advice, decimalsOf: Money.decimalsOf },
    ...numbersOf(options),
  });
  const absences = preset === undefined ? [] : absenceWarnings(file, preset);
  return {
    reader,
    ignored: file.headers.filter((_, index) => file.names[index] === undefined),
    warnings: () => [...absences, ...reader.warnings()],
    explain: explanationOf(file, preset),
  };
};

const advice: ProductOptions['advice'] = {
  sign: 'use --decimal=dot or --decimal=comma to say which',
  minorUnit: 'use --decimal',
};

const numbersOf = ({
  preset,
  decimal,
}: CsvOptions): Pick<ProductOptions, 'sign' | 'isDecimal' | 'writtenBy'> => {
  if (preset !== undefined) return { sign: 'dot', writtenBy: 'program' };
  if (decimal === undefined) return {};
  return { sign: decimal === true ? undefined : decimal, isDecimal: true, writtenBy: 'people' };
};

/** In an export in another language, these columns are ignored where nothing maps them. */
const absenceWarnings = ({ names }: FileColumns, { consequences }: Preset): readonly string[] =>
  consequences
    .filter(({ columns }) => !columns.some((column) => names.includes(normalName(column))))
    .map(
      ({ columns: [name], ifAbsent }) =>
        `The header has no column ${name}: ${ifAbsent}. If the file has another name for it, use --map "THAT NAME=${name}".`,
    );

const explanationOf =
  ({ names, headers }: FileColumns, preset: Preset | undefined) =>
  ({ field, message }: FieldError): FieldError => {
    // An item of a list is named by its place in it.
    const [, list = field, place = ''] = /^(image_urls|tags)(\.\d+)$/.exec(field) ?? [];
    const column = list.startsWith(metadataPrefix) ? list : list.replaceAll('.', '_');
    const at = sourcesOf(column, preset)
      .map((source) => names.indexOf(source))
      .find((index) => index !== -1);
    const header = at === undefined ? undefined : headers[at];
    const label = header === undefined || normalName(header) === column ? list : header;
    return { field: label + place, message };
  };

const sourcesOf = (column: string, preset: Preset | undefined): readonly string[] => {
  if (column === 'price' || column === 'price_amount') {
    return ['price_amount', 'price', ...(preset?.sources.price ?? [])];
  }
  if (column === 'image_urls') return ['image_urls', ...(preset?.imageColumns ?? [])];
  return column === 'sku' || column === 'name' ? [column, ...(preset?.sources[column] ?? [])] : [column];
};
