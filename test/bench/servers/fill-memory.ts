import { writeFile } from 'node:fs/promises';
import { seedProduct } from '#bootstrap/cli/commands/seed.ts';
import { Quantity } from '#domain/quantity.ts';
import { closedLoad } from '../../lab/load/load.ts';
import { requestBytes } from '../../lab/load/request.ts';
import { isSuccess, Tally } from '../../lab/load/tally.ts';
import { fullStock, type ProductView } from './catalogue.ts';
import { operatorKey } from './servers.ts';

/** No command can reach the memory of another process, so each product is added by a request. */
export const fillMemory = async (port: number, products: number): Promise<void> => {
  const tally = new Tally();
  const credential = { Authorization: `Bearer ${operatorKey}` };
  const next = (number: number): Buffer => {
    const { stock = null, ...product } = seedProduct(number + 1);
    const seeded = { ...product, stock: stock === null ? null : Quantity.toNumber(stock) };
    const isFull = number + 1 === fullStock.product;
    const full = isFull && { status: 'active', stock: Quantity.toNumber(Quantity.max) };
    return requestBytes('POST', '/v1/products', credential, { ...seeded, ...full });
  };
  await closedLoad({ port, next, tally, connections: 32, requests: products });
  if (tally.count(isSuccess) !== products) throw new Error(`Not every product could be added: ${tally}`);
};

/** Writes products as rows for the yardstick. @param shown as the API returns them */
export const writeRows = async (file: string, shown: readonly ProductView[]): Promise<void> => {
  const rows = shown.map(
    ({ price, stock, quantity_step, image_urls, tags, tax_rate, metadata, ...product }) => ({
      ...product,
      price_amount: price.amount,
      price_currency: price.currency,
      stock_thousandths: stock === null ? null : Math.round(1000 * stock),
      quantity_step_thousandths: quantity_step === null ? null : Math.round(1000 * quantity_step),
      image_urls: JSON.stringify(image_urls),
      tags: JSON.stringify(tags),
      tax_rate_thousandths: tax_rate === null ? null : Math.round(1000 * tax_rate),
      metadata: JSON.stringify(metadata),
    }),
  );
  await writeFile(file, JSON.stringify(rows));
};
