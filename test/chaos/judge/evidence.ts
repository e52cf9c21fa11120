import { offline } from '#domain/payment.ts';
import type { Ledger } from '../../stripe/account.ts';
import type { MarkedRow } from '../erasing/aftermath.ts';
import type { Person } from '../erasing/person.ts';
import type { ParsedResponse } from '../response.ts';
import type { Kind } from '../retried-request.ts';
import type { OrderRow, PaymentRow, RefundRow, Rows } from '../rows.ts';
import type { Violation } from '../violations.ts';

/** The final response to a client's request. */
export interface ClientOutcome {
  readonly kind: Kind;
  readonly key: string;
  readonly path: string;
  /** Undefined when there was no final response. */
  readonly response: ParsedResponse | undefined;
  /** Whether an erasure may have removed the key, or emptied its response. */
  readonly isForgotten: boolean;
}

/** The final state at the provider, in the database, and at the clients. */
export interface Evidence {
  readonly ledger: Pick<Ledger, 'charges' | 'refunds'>;
  readonly rows: Rows;
  readonly clientOutcomes: readonly ClientOutcome[];
  /** What was in stock before anything was sold, in thousandths; null when the stock is not counted. */
  readonly stockBefore: ReadonlyMap<string, number | null>;
  /** The customers who were to be erased, and the rows with texts of theirs. */
  readonly people: readonly Pick<Person, 'id' | 'mark'>[];
  readonly markedRows: readonly MarkedRow[];
}

/** Finds one sort of violation. */
export type Judge = (evidence: Evidence) => Violation[];

export const byId = <T extends { readonly id: string }>(rows: readonly T[]): ReadonlyMap<string, T> =>
  new Map(rows.map((row) => [row.id, row]));

export const groupedBy = <T>(
  items: readonly T[],
  keyOf: (item: T) => string,
): ReadonlyMap<string, readonly T[]> => Map.groupBy(items, keyOf);

export const sumOf = <T>(items: readonly T[], amountOf: (item: T) => number): number =>
  items.reduce((sum, item) => sum + amountOf(item), 0);

/** Whether the payment was charged, even if it was refunded later. */
export const wasCharged = ({ status }: PaymentRow): boolean =>
  status === 'succeeded' || status === 'partially_refunded' || status === 'refunded';

/** Whether the provider has a say in it. */
export const isAtProvider = ({ provider }: PaymentRow | RefundRow): boolean => provider !== offline;

export const describePayment = ({ id, orderId, status, amount, reference }: PaymentRow): string =>
  `payment ${id} of order ${orderId} (${status}, ${amount}, ${reference})`;

export const describeRefund = ({ id, paymentId, status, amount, reference }: RefundRow): string =>
  `refund ${id} of payment ${paymentId} (${status}, ${amount}, ${reference})`;

export const describeOrder = ({ id, status, total, paying }: OrderRow): string =>
  `order ${id} (${status}${paying ? ', paying' : ''}, ${total})`;
