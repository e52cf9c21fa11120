import { offline } from '#domain/payment.ts';
import type { ParsedResponse } from '../clients/response.ts';
import type { Kind } from '../clients/retried-request.ts';
import type { DumpedRow } from '../dump.ts';
import type { CaptureRow, OrderRow, PaymentRow, RefundRow, Rows } from '../rows.ts';
import type { Violation } from '../violations.ts';
import type { ProviderLedger } from './ledger.ts';

/** The final response to a client's request. */
export interface ClientOutcome {
  readonly kind: Kind;
  readonly key: string;
  readonly path: string;
  /** What was paid, canceled, captured, refunded or changed. */
  readonly subjectId?: string | undefined;
  /** The amount that was asked for, the status, and what was seen as refunded; undefined when the request names none. */
  readonly asked?: {
    readonly amount?: number | undefined;
    readonly status?: string | undefined;
    readonly seen?: number | undefined;
  };
  /** The customer who may be erased, and has sent it. */
  readonly personId?: string | undefined;
  /** Undefined when there was no final response. */
  readonly response: ParsedResponse | undefined;
  /** Whether an erasure may have removed the key, or emptied its response. */
  readonly isForgotten: boolean;
}

/** The final state at the provider, in the database, and at the clients. */
export interface Evidence {
  readonly ledger: ProviderLedger;
  readonly rows: Rows;
  readonly clientOutcomes: readonly ClientOutcome[];
  /** What was in stock before anything was sold, in thousandths; null when the stock is not counted. */
  readonly stockBefore: ReadonlyMap<string, number | null>;
  /** The customers who were to be erased, and the rows with texts of theirs. */
  readonly people: readonly { readonly id: string; readonly mark: string }[];
  readonly markedRows: readonly DumpedRow[];
  /** How long a request may take that began before its user was locked, in milliseconds. */
  readonly requestTimeoutMs: number;
  /** Rows and lines in which a client secret, or an address for a payer, was found. */
  readonly leaks: readonly string[];
}

/** Finds one sort of violation. */
export type Judge = (evidence: Evidence) => Violation[];

/** Finds one in the final state, whatever clients were told. */
export type StateJudge = (evidence: Pick<Evidence, 'ledger' | 'rows' | 'stockBefore'>) => Violation[];

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

/** Whether the payer, the provider or the shop has still to decide. */
export const isWaiting = ({ status }: PaymentRow): boolean =>
  status === 'requires_action' || status === 'processing' || status === 'authorized';

/** Whether it takes money, or has taken it. */
export const isLive = ({ status }: PaymentRow): boolean => status !== 'failed' && status !== 'canceled';

/** Whether staff have not captured it, but a merchant in the dashboard. */
export const isCapturedOutside = (
  { reference, status }: CaptureRow,
  { captures }: Pick<ProviderLedger, 'captures'>,
): boolean =>
  status === 'succeeded' &&
  captures.some((capture) => capture.captureId === null && capture.reference === reference);

/** What was taken. */
export const capturedOf = ({ amount, released }: PaymentRow): number => amount - released;

/** Whether the provider has a say in it: not where nothing is to be paid. */
export const isAtProvider = ({ provider, amount }: PaymentRow | RefundRow): boolean =>
  provider !== offline && amount > 0;

export const describePayment = ({ id, orderId, status, amount, released, reference }: PaymentRow): string =>
  `payment ${id} of order ${orderId} (${status}, ${amount}${released > 0 ? ` - ${released}` : ''}, ${reference})`;

export const describeRefund = ({ id, paymentId, status, amount, reference }: RefundRow): string =>
  `refund ${id} of payment ${paymentId} (${status}, ${amount}, ${reference})`;

export const describeOrder = ({ id, status, total, paying }: OrderRow): string =>
  `order ${id} (${status}${paying ? ', paying' : ''}, ${total})`;
