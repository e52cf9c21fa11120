import { type Violation, violation } from '../violations.ts';
import {
  byId,
  capturedOf,
  describePayment,
  groupedBy,
  isAtProvider,
  type StateJudge,
  wasCharged,
} from './evidence.ts';

/** Every charge belongs to a payment, every charged payment to one charge. */
export const judgeCharges: StateJudge = ({ ledger: { charges }, rows: { payments } }) => {
  const rows = byId(payments);
  const charged = groupedBy(charges, ({ paymentId: id }) => id ?? 'nothing');
  const found: Violation[] = [];

  for (const [id, ofPayment] of charged) {
    if (ofPayment.length === 1) continue;
    found.push(violation('duplicateCharges', `payment ${id} has ${list(ofPayment)}`));
  }
  const ofOrders = groupedBy(
    [...charged.keys()].flatMap((id) => rows.get(id) ?? []),
    ({ orderId }) => orderId,
  );
  for (const [orderId, paid] of ofOrders) {
    if (paid.length === 1) continue;
    found.push(violation('duplicateCharges', `order ${orderId}: ${paid.map(describePayment).join(', ')}`));
  }

  for (const { reference, paymentId, amount, currency } of charges) {
    const row = rows.get(paymentId ?? '');
    const matches =
      row !== undefined &&
      wasCharged(row) &&
      isAtProvider(row) &&
      row.reference === reference &&
      capturedOf(row) === amount &&
      row.currency === currency;
    if (matches) continue;
    const local = row === undefined ? `no payment ${paymentId}` : describePayment(row);
    found.push(violation('chargesWithoutRow', `${reference} of ${amount} ${currency}: ${local}`));
  }

  for (const row of payments) {
    if (!wasCharged(row) || !isAtProvider(row) || charged.has(row.id)) continue;
    found.push(violation('rowsWithoutCharge', describePayment(row)));
  }
  return found;
};

const list = (charges: readonly { readonly reference: string }[]): string =>
  charges.map(({ reference }) => reference).join(' and ');
