import { readCsv } from '#adapters/files/csv.ts';
import { readJsonLines } from '#adapters/files/json-lines.ts';
import type { ReadResult, Row } from '#adapters/files/parsed-row.ts';
import { wholeProduct } from '#adapters/http/v1/products.ts';
import { DecodeError, decode } from '#adapters/wire/decode.ts';
import { parseJson } from '#adapters/wire/json.ts';
import type { ImportedProduct } from '#application/use-cases/product-import.ts';
import { fieldErrorsText, truncateReason } from '../error-messages.ts';
import { UsageError } from '../framework/exit-codes.ts';
import { type Column, columnsOf, columnsOfHeader, objectFromCells } from './columns.ts';

export const formats = ['jsonl', 'csv'] as const;
export type Format = (typeof formats)[number];

/** By what the file is called; JSON Lines where that says nothing. */
export const formatOf = (file: string): Format => (/\.csv$/i.test(file) ? 'csv' : 'jsonl');

/** The sku, which the list goes by, comes first. */
export const productColumns: readonly Column[] = columnsOf(wholeProduct.schema)
  .map((column) => (column.name === 'sku' ? { ...column, isRequired: true, empty: undefined } : column))
  .sort((one, other) => Number(other.name === 'sku') - Number(one.name === 'sku'));

/** The products in a file, each as the body of a request to make it. @throws UsageError when a CSV file has other columns */
export async function* productRows(
  chunks: AsyncIterable<Uint8Array>,
  format: Format,
): AsyncGenerator<Row<ImportedProduct>, void, undefined> {
  const rows =
    format === 'csv' ? objectsInCsv(chunks) : readJsonLines(chunks, (bytes) => tried(() => parseJson(bytes)));
  for await (const row of rows) {
    const { content } = row;
    yield { ...row, content: 'fault' in content ? content : listed(content.value) };
  }
}

async function* objectsInCsv(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Row<unknown>, void, undefined> {
  let columns: readonly Column[] | undefined;
  for await (const row of readCsv(chunks)) {
    const { content } = row;
    if (columns === undefined) {
      if ('fault' in content)
        throw new UsageError(`The first line, which names the columns, ${content.fault}.`);
      columns = columnsOfHeader(productColumns, content.value);
    } else yield { ...row, content: objectIn(columns, content) };
  }
  if (columns === undefined)
    throw new UsageError('The file is empty: its first line has to name the columns.');
}

const objectIn = (
  columns: readonly Column[],
  content: ReadResult<readonly string[]>,
): ReadResult<unknown> => {
  if ('fault' in content) return content;
  const { length } = content.value;
  return length === columns.length
    ? { value: objectFromCells(columns, content.value) }
    : { fault: `has ${length} cells, where the first line names ${columns.length} columns` };
};

const listed = (input: unknown): ReadResult<ImportedProduct> => {
  const decoded = tried(() => decode(wholeProduct, input));
  if ('fault' in decoded) return decoded;
  const { sku, ...product } = decoded.value;
  if (sku === null || sku === undefined)
    return { fault: 'sku is required, for products are known by it here' };
  return { value: { ...product, sku } };
};

/** What the API would say of a body is said of a row. */
const tried = <A>(read: () => A): ReadResult<A> => {
  try {
    return { value: read() };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const { fieldErrors: faults, message } = error;
    if (faults.length > 0) return { fault: fieldErrorsText(faults) };
    return { fault: truncateReason(message.replace(/^The body /, '').replace(/\.$/, '')) };
  }
};
