import { readCsv } from '#adapters/files/csv.ts';
import { decodeFile } from '#adapters/files/encoding.ts';
import { withLineFeeds } from '#adapters/files/line-ends.ts';
import { notUtf8, type ReadResult, type Row, readJsonLines } from '#adapters/files/rows.ts';
import { productPatch } from '#adapters/http/v1/products.ts';
import type { ReadProduct } from '#adapters/product-files/product.ts';
import { DecodeError, decode, invalidFields, parseJson } from '#adapters/wire/json.ts';
import type { ImportedProduct } from '#application/use-cases/product-import.ts';
import { soldFields } from '#domain/emptied-fields.ts';
import type { FieldError } from '#domain/errors.ts';
import { fieldErrorsText, truncateReason } from '../error-messages.ts';
import { UsageError } from '../framework/exit-codes.ts';
import { type CsvOptions, type CsvProducts, delimiterFor, openCsvProducts } from './csv-products.ts';

export const formats = ['jsonl', 'csv'] as const;
export type Format = (typeof formats)[number];

/** By the extension of the file's name; JSON Lines by default. */
export const formatOf = (file: string): Format => (/\.(csv|tsv)$/i.test(file) ? 'csv' : 'jsonl');

/** A row of a file of products: the product, the reason for which it is invalid, or the reason for which it is none. */
export interface ProductRow extends Omit<Row<ImportedProduct>, 'content'> {
  /** A product is within the limits of the API. What it may change depends on what is stored. */
  readonly content: ReadResult<ImportedProduct> | { readonly skipped: string };
  /** Gives an error of the product the name of the file's column. */
  readonly explain?: Explain;
}

export type Explain = (error: FieldError) => FieldError;

export interface RowOptions extends CsvOptions {
  /** Of the text; without it a byte order mark decides, and then it is UTF-8. */
  readonly encoding?: string | undefined;
  /** Whether an empty cell of a CSV file may empty a field of `soldFields`. In JSON Lines a null is meant. */
  readonly allowUncounted?: boolean | undefined;
  /**
   * Called once the header of a CSV file is read.
   * @param ignored the columns that are left out
   * @param warnings what follows from columns that the file does not have, and what is left out so far, a line each
   */
  readonly onHeader?: (ignored: readonly string[], warnings: () => readonly string[]) => void;
}

/**
 * The products in a file. Each row holds an sku and what the body of `PATCH /products/{id}` accepts.
 * @throws UsageError when the header of a CSV file is invalid
 */
export async function* productRows(
  chunks: AsyncIterable<Uint8Array>,
  format: Format,
  options: RowOptions = {},
): AsyncGenerator<ProductRow, void, undefined> {
  const file = await decodeFile(chunks, options.encoding);
  if (file.binary !== undefined) {
    throw new UsageError(`The file is ${file.binary}. Save it as CSV or unpack it first.`);
  }
  if (format === 'csv' && file.isJson) {
    throw new UsageError(
      "The file is JSON, not CSV. Write each product in a line of its own, as jq -c '.[]' does for a list, and use --format jsonl.",
    );
  }
  const rows = format === 'csv' ? csvRows(file.chunks, options) : jsonRows(file.chunks);
  for await (const row of rows) {
    const { content } = row;
    const isMisread = 'error' in content && content.error === notUtf8.error;
    yield isMisread ? { ...row, content: { error: encodingAdvice(file.encoding) } } : row;
  }
}

/** Why a whole file is no JSON Lines, as its first line shows. */
const formatAdvice = (firstLine: string): string => {
  if (firstLine === '{') return '; write each product in one line, as jq -c . does';
  if (firstLine.startsWith('[')) return "; write each product in a line of its own, as jq -c '.[]' does";
  // What begins otherwise is no object, so the file may be CSV under another name.
  return firstLine.startsWith('{') ? '' : '; if the file is CSV, use --format csv';
};

async function* jsonRows(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ProductRow, void, undefined> {
  let advice: string | undefined;
  const parse = (bytes: Uint8Array): ReadResult<unknown> => {
    advice ??= formatAdvice(Buffer.from(bytes).toString().trim());
    return resultOf(() => parseJson(bytes));
  };
  for await (const row of readJsonLines(chunks, parse)) {
    const { content } = row;
    const read = 'error' in content ? content : decodeProduct(content.value);
    yield { ...row, content: 'error' in read && advice ? { error: `${read.error}${advice}` } : read };
    advice = '';
  }
}

/** Bounds the memory of a product with several rows. Shopify has at most 2,048 variants of one. */
const maxGroup = 3_000;

async function* csvRows(
  chunks: AsyncIterable<Uint8Array>,
  options: RowOptions,
): AsyncGenerator<ProductRow, void, undefined> {
  const { preset, allowUncounted = false } = options;
  const ofEach = { defaults: preset && decodePatch(preset.defaults), mayEmpty: allowUncounted };
  let products: CsvProducts | undefined;
  let group: CsvRow[] = [];
  try {
    for await (const row of readCsv(withLineFeeds(chunks), delimiterFor(options))) {
      const { content } = row;
      if (products === undefined) {
        if ('error' in content) throw new UsageError(headerMessage(content));
        products = openCsvProducts(content.value, options);
        options.onHeader?.(products.ignored, products.warnings);
        continue;
      }
      const continues = 'value' in content && products.reader.groups?.continues(content.value) === true;
      if (!continues || group.length >= maxGroup) {
        yield* productsOf(group, products, ofEach);
        group = [];
      }
      if ('error' in content) yield { ...row, content };
      else group.push({ ...row, cells: content.value });
    }
  } catch (error) {
    // The rows before a place where the file is broken are whole.
    if (products !== undefined) yield* productsOf(group, products, ofEach);
    throw error;
  }
  if (products === undefined) {
    throw new UsageError('The file is empty. Its first line must name the columns.');
  }
  yield* productsOf(group, products, ofEach);
}

/** What each product of a file has besides the cells of its row. */
interface OfEachProduct {
  readonly defaults: ImportedProduct['defaults'];
  /** Whether an empty cell may empty a field of `soldFields`. */
  readonly mayEmpty: boolean;
}

interface CsvRow extends Omit<Row<unknown>, 'content'> {
  readonly cells: readonly string[];
}

function* productsOf(
  rows: readonly CsvRow[],
  products: CsvProducts,
  ofEach: OfEachProduct,
): Generator<ProductRow, void, undefined> {
  const { reader, explain } = products;
  reader.groups?.begin(rows.map(({ cells }) => cells));
  for (const { cells, ...row } of rows) {
    const read = reader.read(cells);
    if (read === undefined) continue;
    if ('fields' in read) yield { ...row, content: decodeCsv(read, ofEach, explain), explain };
    else yield { ...row, content: read };
  }
}

const headerMessage = (content: { readonly error: string }): string =>
  `The header line ${content.error === notUtf8.error ? encodingAdvice('utf-8') : content.error}.`;

/** Excel writes Windows-1252 unless it is asked for UTF-8. */
const encodingAdvice = (encoding: string): string =>
  encoding === 'utf-8'
    ? `${notUtf8.error}; if a spreadsheet wrote the file, use --encoding windows-1252`
    : `is not valid ${encoding.toUpperCase()}`;

const decodeCsv = (
  { fields, errors }: ReadProduct,
  { defaults, mayEmpty }: OfEachProduct,
  explain: Explain,
): ReadResult<ImportedProduct> => {
  const read = decodeProduct(fields, explain, errors);
  if ('error' in read) return read;
  const keepsSold = !mayEmpty && soldFields.some((field) => read.value[field] === null);
  return { value: { ...read.value, ...(defaults && { defaults }), ...(keepsSold && { keepsSold }) } };
};

/** @param errors of fields that the input leaves out */
const decodeProduct = (
  input: unknown,
  explain: Explain = (error) => error,
  errors: readonly FieldError[] = [],
): ReadResult<ImportedProduct> =>
  resultOf(() => {
    const { sku, ...product } = decodeBeside(errors, input);
    if (sku === null || sku === undefined)
      throw invalidFields([{ field: 'sku', message: 'is required: an import identifies products by it' }]);
    return { ...product, sku };
  }, explain);

type DecodedPatch = ReturnType<typeof decodePatch>;
const decodePatch = (input: unknown) => decode(productPatch, input);

/** @throws DecodeError with these errors and those of the input */
const decodeBeside = (errors: readonly FieldError[], input: unknown): DecodedPatch => {
  try {
    const product = decodePatch(input);
    if (errors.length === 0) return product;
  } catch (error) {
    if (!(error instanceof DecodeError) || errors.length === 0) throw error;
    throw invalidFields([...errors, ...error.fieldErrors]);
  }
  throw invalidFields(errors);
};

/** Turns the API's error about a body into the reason for which a row is rejected. */
const resultOf = <A>(read: () => A, explain: Explain = (error) => error): ReadResult<A> => {
  try {
    return { value: read() };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const { fieldErrors, message } = error;
    if (fieldErrors.length > 0) return { error: fieldErrorsText(fieldErrors.map(explain)) };
    return { error: truncateReason(message.replace(/^The body /, '').replace(/\.$/, '')) };
  }
};
