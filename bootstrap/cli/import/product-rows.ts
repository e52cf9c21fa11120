import { readCsv } from '#adapters/files/csv.ts';
import type { ReadResult, Row } from '#adapters/files/rows.ts';
import { readJsonLines } from '#adapters/files/rows.ts';
import { wholeProduct } from '#adapters/http/v1/products.ts';
import { DecodeError, decode, parseJson } from '#adapters/wire/json.ts';
import type { ImportedProduct } from '#application/use-cases/product-import.ts';
import { fieldErrorsText, truncateReason } from '../error-messages.ts';
import { UsageError } from '../framework/exit-codes.ts';
import { type Column, columnsOf, columnsOfHeader, objectFromCells } from './columns.ts';

export const formats = ['jsonl', 'csv'] as const;
export type Format = (typeof formats)[number];

/** By the extension of the file's name; JSON Lines by default. */
export const formatOf = (file: string): Format => (/\.csv$/i.test(file) ? 'csv' : 'jsonl');

/** The columns of a CSV file of products. The sku comes first and is required, because imports identify products by it. */
export const productColumns: readonly Column[] = columnsOf(wholeProduct.schema)
  .map((column) => (column.name === 'sku' ? { ...column, isRequired: true, empty: undefined } : column))
  .sort((one, other) => Number(other.name === 'sku') - Number(one.name === 'sku'));

/**
 * The products in a file. Each row holds what the body of `POST /products` takes.
 * @throws UsageError when the header of a CSV file is invalid
 */
export async function* productRows(
  chunks: AsyncIterable<Uint8Array>,
  format: Format,
): AsyncGenerator<Row<ImportedProduct>, void, undefined> {
  const rows =
    format === 'csv'
      ? csvObjects(chunks)
      : readJsonLines(chunks, (bytes) => resultOf(() => parseJson(bytes)));
  for await (const row of rows) {
    const { content } = row;
    yield { ...row, content: 'error' in content ? content : decodeProduct(content.value) };
  }
}

async function* csvObjects(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Row<unknown>, void, undefined> {
  let columns: readonly Column[] | undefined;
  for await (const row of readCsv(chunks)) {
    const { content } = row;
    if (columns === undefined) {
      if ('error' in content) throw new UsageError(`The header line ${content.error}.`);
      columns = columnsOfHeader(productColumns, content.value);
    } else yield { ...row, content: csvObject(columns, content) };
  }
  if (columns === undefined) {
    throw new UsageError('The file is empty. Its first line must name the columns.');
  }
}

const csvObject = (
  columns: readonly Column[],
  content: ReadResult<readonly string[]>,
): ReadResult<unknown> => {
  if ('error' in content) return content;
  const { length } = content.value;
  if (length === columns.length) return { value: objectFromCells(columns, content.value) };
  return {
    error: `has ${length} ${length === 1 ? 'cell' : 'cells'}, but the header names ${columns.length} columns`,
  };
};

const decodeProduct = (input: unknown): ReadResult<ImportedProduct> => {
  const decoded = resultOf(() => decode(wholeProduct, input));
  if ('error' in decoded) return decoded;
  const { sku, ...product } = decoded.value;
  if (sku === null || sku === undefined) {
    return { error: 'sku is required: an import identifies products by it' };
  }
  return { value: { ...product, sku } };
};

/** Turns the API's error about a body into the reason for which a row is rejected. */
const resultOf = <A>(read: () => A): ReadResult<A> => {
  try {
    return { value: read() };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const { fieldErrors, message } = error;
    if (fieldErrors.length > 0) return { error: fieldErrorsText(fieldErrors) };
    return { error: truncateReason(message.replace(/^The body /, '').replace(/\.$/, '')) };
  }
};
