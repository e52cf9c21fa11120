import { randomUUID } from 'node:crypto';
import { closedLoad } from '../lab/load/load.ts';
import { orderBytes, requestBytes } from '../lab/load/request.ts';
import { Tally } from '../lab/load/tally.ts';
import { createProduct, token } from './production.ts';

const credential = { Authorization: `Bearer ${token}` };

/** Requests that each pay another order. */
export interface Payments {
  /** Creates orders for this many payments. */
  readonly provide: (count: number) => Promise<void>;
  readonly next: () => Buffer;
}

/** @param port of the server */
export const paymentsAt = async (port: number): Promise<Payments> => {
  const order = orderBytes(token, await createProduct(port));
  const unpaid: string[] = [];
  return {
    provide: async (count) => {
      const missing = count - unpaid.length;
      await closedLoad({
        port,
        next: () => order,
        tally: new Tally(),
        connections: 16,
        requests: missing,
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
