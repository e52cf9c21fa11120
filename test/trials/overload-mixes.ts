import { randomUUID } from 'node:crypto';
import { closedLoad } from '../load/load.ts';
import { requestBytes } from '../load/request.ts';
import { Tally } from '../load/tally.ts';
import { productOf, token } from './production.ts';

const credential = { Authorization: `Bearer ${token}` };

/** A mix of requests. */
export interface Mix {
  readonly name: string;
  /**
   * The share of the peak goodput that must remain under three times the load; undefined where it is only reported. Rejecting
   * costs about as much as a read, so a share is expected only of requests that cost much more.
   */
  readonly leaves: { readonly long?: number; readonly short?: number };
  /** Prepares data for this many requests. */
  readonly provide: (count: number) => Promise<void>;
  readonly next: (number: number) => Buffer;
}

/** @param port of the server */
export const mixesAt = async (port: number): Promise<readonly Mix[]> => {
  const product = await productOf(port);
  const order = requestBytes('POST', '/v1/orders', credential, { product_id: product, quantity: 1 });
  const read = requestBytes('GET', `/v1/products/${product}`, credential);
  const provide = async (): Promise<void> => undefined;
  const nineReadsToAnOrder = (number: number): Buffer => (number % 10 === 0 ? order : read);
  return [
    { name: 'payments', leaves: { long: 0.8, short: 0.3 }, ...paymentsOf(port, order) },
    { name: 'orders', leaves: {}, provide, next: () => order },
    { name: 'nine reads to an order', leaves: {}, provide, next: nineReadsToAnOrder },
  ];
};

/** Each request pays another order, which `provide` creates. */
const paymentsOf = (port: number, order: Buffer): Pick<Mix, 'provide' | 'next'> => {
  const unpaid: string[] = [];
  return {
    provide: async (count) => {
      const missing = count - unpaid.length;
      await closedLoad({
        port,
        next: () => order,
        tally: new Tally(),
        connections: 16,
        shouldContinue: (sent) => sent < missing,
        onResponse: (status, bytes) => {
          if (status === 201) unpaid.push(idIn(bytes));
        },
      });
    },
    next: () => {
      const body = { order_id: unpaid.pop(), payment_method: 'tok_ok' };
      return requestBytes('POST', '/v1/payments', { ...credential, 'Idempotency-Key': randomUUID() }, body);
    },
  };
};

/** The first id in a response is that of the created resource. */
const idIn = (bytes: Buffer): string => /"id":"([^"]+)"/.exec(bytes.toString())?.[1] ?? '';
