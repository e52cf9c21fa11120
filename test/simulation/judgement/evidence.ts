import type { MemoryTables } from '#adapters/persistence/memory/unit-of-work.ts';
import { Instant } from '#domain/instant.ts';
import type { Money } from '#domain/money.ts';
import type { Payment } from '#domain/payment.ts';
import { Quantity } from '#domain/quantity.ts';
import type { Evidence } from '../../lab/judge/evidence.ts';
import type { ProviderLedger } from '../../lab/judge/ledger.ts';
import type { PaymentRow, Rows } from '../../lab/rows.ts';
import type { LedgerCharge } from '../provider/ledger.ts';
import { personal, type Shop } from '../shop.ts';

/** What the laboratory's judge compares: the rows of a story, the ledger of its provider, and what was there before. */
export const evidenceOf = ({ tables, products, ada }: Shop, charges: readonly LedgerCharge[]) => {
  const rows = rowsOf(tables);
  const ours = charges.filter(({ isForeign }) => !isForeign);
  return {
    rows,
    ledger: ledgerOf(ours, rows),
    stockBefore: new Map(products.map(({ id, stock }) => [id, Quantity.of(stock)])),
    people: [{ id: ada.userId, mark: personal }],
    markedRows: markedRowsIn(tables),
  } satisfies Partial<Evidence>;
};

const markedRowsIn = (tables: MemoryTables): Evidence['markedRows'] =>
  Object.entries<{ walk(): Iterable<readonly [string, object]> }>(tables).flatMap(([table, rows]) =>
    [...rows.walk()]
      .map(([, row]) => ({ table, text: JSON.stringify(row) }))
      .filter(({ text }) => text.includes(personal)),
  );

const ledgerOf = (charges: readonly LedgerCharge[], { refunds: ours }: Rows): ProviderLedger => ({
  charges: charges.flatMap(({ reference, paymentId, taken }) =>
    taken === null ? [] : [{ reference, paymentId, ...minor(taken) }],
  ),
  captures: charges.flatMap(({ reference: charge, captures }) =>
    captures.map(({ reference, captureId, amount }) => ({
      ...{ charge, reference, captureId, amount: amount.amount },
    })),
  ),
  refunds: charges.flatMap(({ reference: charge, paymentId, refunds }) =>
    refunds.map(({ reference, refundId, amount, status, isMistaken }) => {
      // One from another charge than was asked for is one from outside there.
      const isOwn = ours.some((refund) => refund.id === refundId && refund.paymentId === paymentId);
      return {
        ...{ charge, reference, status, isMistaken, amount: amount.amount },
        refundId: isOwn ? (refundId ?? null) : null,
      };
    }),
  ),
  disputes: charges.flatMap(({ reference: charge, disputes }) =>
    disputes.map(({ providerReference: reference, status, amount }) => ({
      ...{ charge, reference, status, amount: amount.amount },
    })),
  ),
  open: charges.flatMap(({ reference, paymentId, status }) => {
    const waits = waiting[status];
    return waits ? [{ reference, paymentId, status: waits, isConfirmable: false }] : [];
  }),
  canceled: charges
    .filter(({ status }) => status === 'canceled')
    .map(({ reference, paymentId }) => ({ reference, paymentId, inDashboard: false })),
});

const waiting: Readonly<Record<string, ProviderLedger['open'][number]['status']>> = {
  'waits for the payer': 'requires_action',
  'waits for the provider': 'processing',
  authorized: 'authorized',
};

const minor = ({ amount, currency }: Money) => ({ amount, currency });

const at = (instant: Instant): number => Instant.milliseconds(instant);

/** The rows of a table. */
export const allIn = <T>(rows: { walk(): Iterable<readonly [string, T]> }): T[] =>
  [...rows.walk()].map(([, row]) => row);

const rowsOf = (tables: MemoryTables): Rows => ({
  products: allIn(tables.products).map(({ id, stock }) => ({ id, stock })),
  orders: allIn(tables.orders).map(({ id, userId, createdAt, status, total, itemCount, paying }) => ({
    ...{ id, userId, createdAt: at(createdAt), status, total: total.amount, itemCount, paying },
  })),
  items: allIn(tables.orderItems).map(({ id, orderId, productId, unitPrice, quantity, total, counted }) => ({
    ...{ id, orderId, productId, unitPrice: unitPrice.amount, quantity, total: total.amount, counted },
  })),
  payments: allIn(tables.payments).map(paymentRow),
  refunds: allIn(tables.refunds).map(({ providerReference: reference, ...refund }) => ({
    ...{ id: refund.id, paymentId: refund.paymentId, status: refund.status, origin: refund.origin },
    ...{ amount: refund.amount.amount, provider: refund.provider, reference },
  })),
  captures: allIn(tables.captures).map(({ id, paymentId, status, amount, providerReference: reference }) => ({
    ...{ id, paymentId, status, amount: amount.amount, reference },
  })),
  disputes: allIn(tables.disputes).map(({ id, paymentId, status, amount, providerReference: reference }) => ({
    ...{ id, paymentId, status, amount: amount.amount, reference },
  })),
  stockChanges: allIn(tables.stockChanges).map(({ id, productId, change }) => ({ id, productId, change })),
  users: allIn(tables.users).map(({ id, status }) => ({ id, status })),
  erasures: allIn(tables.erasures).map(({ id, userId, status, createdAt }) => ({
    ...{ id, userId, status, createdAt: at(createdAt) },
  })),
  keys: allIn(tables.idempotencyKeys).map(({ userId, key, response, lease }) => ({
    ...{ userId, key, hasResponse: response !== null, unsettled: lease?.leaseUntil != null },
    ...{ process: lease?.process ?? null, subject: lease?.subject ?? null },
  })),
});

const paymentRow = ({ id, orderId, userId, createdAt, status, ...payment }: Payment): PaymentRow => ({
  ...{ id, orderId, userId, createdAt: at(createdAt), status, ...minor(payment.amount) },
  ...{ refunded: payment.refunded.amount, refunding: payment.refunding.amount },
  ...{ released: payment.released.amount, disputed: payment.disputed.amount },
  ...{ isAsked: payment.actionExpiresAt !== null, isManual: payment.captureMethod === 'manual' },
  ...{ provider: payment.provider, reference: payment.providerReference },
});
