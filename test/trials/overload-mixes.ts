import { randomUUID } from 'node:crypto';
import { closedLoad } from '../load/load.ts';
import { requestBytes } from '../load/request.ts';
import { Tally } from '../load/tally.ts';
import { productOf, token } from './production.ts';

const credential = { Authorization: `Bearer ${token}` };

/** What is asked for, again and again. */
export interface Mix {
  readonly name: string;
  /**
   * Which share of the peak has to be left when three times as much is asked for; undefined where that is told and not
   * judged. To refuse costs about as much as to read, and a third of an order, so whoever refuses twice as many as are
   * answered has time left for them only where an answer costs much more.
   */
  readonly leaves: { readonly long?: number; readonly short?: number };
  /** Sees to it that there are so many requests. */
  readonly provide: (count: number) => Promise<void>;
  readonly next: (number: number) => Buffer;
}

/** @param port where all of them are asked for */
export const mixesAt = async (port: number): Promise<readonly Mix[]> => {
  const product = await productOf(port);
  const order = requestBytes('POST', '/v1/orders', credential, { product_id: product, quantity: 1 });
  const read = requestBytes('GET', `/v1/products/${product}`, credential);
  const provide = async (): Promise<void> => undefined;
  const nine = (number: number): Buffer => (number % 10 === 0 ? order : read);
  return [
    { name: 'payments', leaves: { long: 0.8, short: 0.3 }, ...paymentsOf(port, order) },
    { name: 'orders', leaves: {}, provide, next: () => order },
    { name: 'nine reads to an order', leaves: {}, provide, next: nine },
  ];
};

/** Each pays an order of its own, which has to be there before. */
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
        goesOn: (sent) => sent < missing,
        heard: (status, bytes) => {
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

/** The first id in an answer is that of what was made. */
const idIn = (bytes: Buffer): string => /"id":"([^"]+)"/.exec(bytes.toString())?.[1] ?? '';
