import { describe } from '../answer.ts';
import type { KeyRow, OrderRow, Rows } from '../rows.ts';
import { type Violation, violation } from '../violations.ts';
import { byId, type Judge, type Testimony, wentThrough } from './evidence.ts';

/** What clients were told is what was written down. */
export const judgeAnswers: Judge = ({ rows, testimonies }) => {
  const truth = truthOf(rows);
  const keys = new Map(rows.keys.map((row) => [row.key, row]));
  const found: Violation[] = [];
  for (const testimony of testimonies) {
    const { said, key, path } = testimony;
    if (said === undefined) {
      found.push(violation('stuckKeys', `${path} with key ${key} has no final answer`));
      continue;
    }
    const lie = keyLie(testimony, keys.get(key)) ?? truth(testimony, keys.get(key));
    if (lie === undefined) continue;
    found.push(
      violation('untrueAnswers', `${path} with key ${key} was answered ${describe(said)}, but ${lie}`),
    );
  }
  return found;
};

type Lie = string | undefined;

/** The key knows that it was answered, and what it stands for. */
const keyLie = ({ said }: Testimony, key: KeyRow | undefined): Lie => {
  if (key === undefined) return 'the key is not there';
  if (!key.answered) return 'the key has no answer';
  if (key.subject === null || said?.status !== 201) return undefined;
  return key.subject === said.subject?.id ? undefined : `the key stands for ${key.subject}`;
};

const truthOf = (rows: Rows): ((testimony: Testimony, key: KeyRow | undefined) => Lie) => {
  const orders = byId(rows.orders);
  const items = byId(rows.items);
  const payments = byId(rows.payments);
  const refunds = byId(rows.refunds);

  const paymentLie = ({ said }: Testimony, key: KeyRow | undefined): Lie => {
    const row = payments.get((said?.subject?.id ?? key?.subject) || '');
    if (said?.status === 201) {
      if (row === undefined) return 'there is no such payment';
      const { amount, reference } = said.subject ?? {};
      const isTrue = wentThrough(row) && row.amount === amount && row.reference === reference;
      return isTrue ? undefined : `it is ${row.status}, ${row.amount}, ${row.reference}`;
    }
    if (said?.code === 'PAYMENT_DECLINED') {
      return row?.status === 'failed' ? undefined : `the payment ${key?.subject} is ${row?.status}`;
    }
    return key?.subject == null ? undefined : `a payment was begun, ${key.subject}`;
  };

  const refundLie = ({ said }: Testimony, key: KeyRow | undefined): Lie => {
    if (said?.status !== 201) {
      return key?.subject == null ? undefined : `a refund was begun, ${key.subject}`;
    }
    const row = refunds.get(said.subject?.id ?? '');
    if (row === undefined) return 'there is no such refund';
    const { amount, reference } = said.subject ?? {};
    const isTrue = row.status === 'succeeded' && row.amount === amount && row.reference === reference;
    return isTrue ? undefined : `it is ${row.status}, ${row.amount}, ${row.reference}`;
  };

  const itemLie = ({ said }: Testimony): Lie => {
    const row = items.get(said?.subject?.id ?? '');
    if (row === undefined) return 'there is no such item';
    return row.total === said?.subject?.amount ? undefined : `it costs ${row.total}`;
  };

  return (testimony, key) => {
    const { kind, said } = testimony;
    if (kind === 'payment') return paymentLie(testimony, key);
    if (kind === 'refund') return refundLie(testimony, key);
    if (said === undefined || said.status >= 300) return undefined;
    if (kind === 'item') return itemLie(testimony);
    const order = orders.get(said.subject?.id ?? '');
    if (kind === 'order') return order ? undefined : 'there is no such order';
    return kind === 'change' ? changeLie(testimony, order) : undefined;
  };
};

/** A paid order that was fulfilled stays so; one that was canceled does too. */
const changeLie = ({ said }: Testimony, order: OrderRow | undefined): Lie =>
  order !== undefined && order.status === said?.subject?.status ? undefined : `it is ${order?.status}`;
