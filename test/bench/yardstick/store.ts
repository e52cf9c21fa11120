/** A row of the database, with times as RFC 3339. */
export interface ProductRow {
  readonly id: string;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly name: string;
  readonly price_amount: number;
  readonly price_currency: string;
  readonly description: string | null;
  readonly sku: string | null;
  readonly status: string;
  readonly stock_thousandths: number | null;
  readonly quantity_step_thousandths: number | null;
  /** JSON, as are the next and the last one. */
  readonly image_urls: string;
  readonly tags: string;
  readonly tax_rate_thousandths: number | null;
  readonly metadata: string;
}

export interface NewOrder {
  readonly product_id: string;
  readonly quantity: number;
}

export interface NewPayment {
  readonly order_id: string;
  readonly payment_method: string;
}

/** The statements that the scenarios need. */
export interface Store {
  product(id: string): Promise<ProductRow | undefined> | ProductRow | undefined;
  /** Ordered by id. @param after id before the first row, or undefined for the start */
  products(after: string | undefined, limit: number): Promise<readonly ProductRow[]> | readonly ProductRow[];
  /** Writes order, item and key with the response in one transaction. @returns the response body */
  order(key: string, body: NewOrder): Promise<string> | string;
  /** Writes the key and a pending payment, then settles it in a second transaction. @returns the response body */
  pay(key: string, body: NewPayment): Promise<string> | string;
}

export const columns =
  'id, version, created_at, updated_at, name, price_amount, price_currency, description, sku, status, stock_thousandths, quantity_step_thousandths, image_urls, tags, tax_rate_thousandths, metadata';
