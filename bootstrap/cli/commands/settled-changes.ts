import type { Application } from '#application/application.ts';
import type { PaymentId } from '#domain/payment.ts';
import { moneyText } from '../money-text.ts';

/** What is known of a payment and all that belongs to it: a line for each, by its kind and ID. */
export type Standing = ReadonlyMap<string, string>;

interface Shown {
  readonly status: string;
  readonly providerReference?: string | null;
}

/** Reads a payment with its order, refunds, captures and disputes. */
export const standingOf = async ({ unitOfWork }: Application, id: PaymentId): Promise<Standing> =>
  unitOfWork.read(async ({ payments, orders, refunds, captures, disputes }) => {
    const payment = await payments.find(id);
    const order = payment && (await orders.find(payment.orderId));
    const lines = new Map<string, string>();
    if (payment !== undefined) {
      const { refunded, disputed } = payment;
      const sums = Object.entries({ refunded, disputed })
        .filter(([, { amount }]) => amount !== 0)
        .map(([name, money]) => `, ${name} ${moneyText(money)}`);
      lines.set(`payment ${id}`, `${textOf(payment)}${sums.join('')}`);
    }
    if (order !== undefined) lines.set(`order ${order.id}`, order.status);
    for (const [kind, found] of Object.entries({
      refund: await refunds.findBy('paymentId', [id]),
      capture: await captures.findBy('paymentId', [id]),
      dispute: await disputes.findBy('paymentId', [id]),
    }))
      for (const each of found) lines.set(`${kind} ${each.id}`, `${textOf(each)}, ${moneyText(each.amount)}`);
    return lines;
  });

/** @returns a line for each that has changed, such as `The refund 01a2… is succeeded (re_1), 4.50 EUR. It was pending, 4.50 EUR.` */
export const changesBetween = (before: Standing, after: Standing): readonly string[] =>
  [...after].flatMap(([name, text]) => {
    const past = before.get(name);
    if (past === text) return [];
    return [`The ${name} is ${text}. ${past === undefined ? 'It is new here' : `It was ${past}`}.`];
  });

const textOf = ({ status, providerReference }: Shown): string =>
  providerReference ? `${status} (${providerReference})` : status;
