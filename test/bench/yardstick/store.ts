/** A row as the database has it, with times as RFC 3339. */
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
}

export interface NewOrder {
  readonly product_id: string;
  readonly quantity: number;
}

export interface NewPayment {
  readonly order_id: string;
  readonly payment_method: string;
}

/** What the scenarios need of a database. */
export interface Store {
  product(id: string): Promise<ProductRow | undefined> | ProductRow | undefined;
  /** In the order of their ids. @param after from the start, unless there is one */
  products(after: string | undefined, limit: number): Promise<readonly ProductRow[]> | readonly ProductRow[];
  /** The order, its item, the key and the answer, in one transaction. @returns the answer's body */
  order(key: string, body: NewOrder): Promise<string> | string;
  /** The key and a pending payment; then, in another transaction, that it succeeded. @returns the answer's body */
  pay(key: string, body: NewPayment): Promise<string> | string;
}

export const columns =
  'id, version, created_at, updated_at, name, price_amount, price_currency, description, sku, status, stock_thousandths';
