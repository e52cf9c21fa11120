import type { ImportedProduct } from '#application/use-cases/product-import.ts';
import { type Format, productRows, type RowOptions } from '#bootstrap/cli/import/product-rows.ts';

interface FileOfProducts {
  /** Without their defaults, and what is asked for. */
  readonly products: readonly ImportedProduct[];
  /** The defaults of each product, where the file gives it some. */
  readonly defaults: readonly ImportedProduct['defaults'][];
  /** `2: name is required` */
  readonly rejected: readonly string[];
  readonly skipped: readonly string[];
  readonly ignored: readonly string[];
}

/** Reads a file as an import does. */
export const readProducts = async (
  file: string | Uint8Array,
  options: RowOptions = {},
  format: Format = 'csv',
): Promise<FileOfProducts> => {
  const defaults: ImportedProduct['defaults'][] = [];
  const [products, rejected, skipped]: [ImportedProduct[], string[], string[]] = [[], [], []];
  let ignored: readonly string[] = [];
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield typeof file === 'string' ? Buffer.from(file) : file;
  }
  const onHeader = (columns: readonly string[]): void => {
    ignored = columns;
  };
  for await (const { line, content } of productRows(chunks(), format, { ...options, onHeader })) {
    if ('value' in content) {
      const { defaults: ofNew, keepsSold: _, ...product } = content.value;
      products.push(product);
      defaults.push(ofNew);
    } else if ('error' in content) rejected.push(`${line}: ${content.error}`);
    else skipped.push(`${line}: ${content.skipped}`);
  }
  return { products, defaults, rejected, skipped, ignored };
};
