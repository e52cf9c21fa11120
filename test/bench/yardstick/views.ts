import type { ProductRow } from './store.ts';

const view = (row: ProductRow) => ({
  id: row.id,
  name: row.name,
  price: { amount: row.price_amount, currency: row.price_currency },
  description: row.description,
  sku: row.sku,
  status: row.status,
  stock: row.stock_thousandths === null ? null : row.stock_thousandths / 1000,
  quantity_step: row.quantity_step_thousandths === null ? null : row.quantity_step_thousandths / 1000,
  image_urls: JSON.parse(row.image_urls),
  tags: JSON.parse(row.tags),
  tax_rate: row.tax_rate_thousandths === null ? null : row.tax_rate_thousandths / 1000,
  metadata: JSON.parse(row.metadata),
  version: row.version,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

export const bodyOf = (row: ProductRow | undefined): string =>
  row === undefined ? '{}' : JSON.stringify({ data: view(row) });

/** @param rows one more than the limit if there is another page */
export const listOf = (rows: readonly ProductRow[], limit: number): string => {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const cursor = rows.length > limit && last !== undefined ? cursorOf(last.id) : null;
  return JSON.stringify({
    data: shown.map(view),
    pagination: { next_cursor: cursor, has_more: cursor !== null, limit },
    links: { next: cursor && `/v1/products?limit=${limit}&cursor=${cursor}` },
  });
};

/** As long as Portico's cursor, without its checksum. */
const cursorOf = (id: string): string =>
  Buffer.from(`${id.replaceAll('-', '')}${'0'.repeat(16)}`, 'hex').toString('base64url');
