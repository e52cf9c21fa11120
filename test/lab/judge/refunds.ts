import { type Violation, violation } from '../violations.ts';
import { byId, describeRefund, groupedBy, isAtProvider, type StateJudge, wasCharged } from './evidence.ts';
import type { ProviderLedger } from './ledger.ts';

type Told = ProviderLedger['refunds'][number];

/**
 * Every refund of the provider has a row that says the same, those that were made there and those that have failed too. Every one of
 * ours that went through, or was accepted, is one of the provider's.
 */
export const judgeRefunds: StateJudge = ({ ledger, rows }) => {
  const ours = byId(rows.refunds);
  const fromOutside = groupedBy(
    rows.refunds.filter(({ origin }) => origin === 'provider'),
    ({ reference }) => reference ?? '',
  );
  const payments = byId(rows.payments);
  const charged = new Set(rows.payments.filter(wasCharged).map(({ reference }) => reference));
  const found: Violation[] = [];
  const notHere = ({ reference, amount, charge, status }: Told, local: string) =>
    found.push(
      violation('refundsWithoutRow', `${reference} (${status}) of ${amount} from ${charge}: ${local}`),
    );

  const moved = ledger.refunds.filter(({ status }) => status !== 'failed');
  const given = groupedBy(moved, ({ refundId: id }) => id ?? 'nothing');
  for (const [id, ofRefund] of given) {
    if (ofRefund.length === 1 || id === 'nothing') continue;
    const all = ofRefund.map(({ reference }) => reference).join(' and ');
    found.push(violation('duplicateRefunds', `refund ${id} has ${all}`));
  }

  for (const refund of ledger.refunds) {
    const { reference, refundId, charge, amount, status: expected, isMistaken = false } = refund;
    const outside = fromOutside.get(reference) ?? [];
    const row = refundId === null ? outside[0] : ours.get(refundId);
    const isTakenBack = isMistaken && expected === 'failed';
    // Of a charge that has paid nothing here, nothing that was taken back is recorded.
    if (row === undefined && isTakenBack && !charged.has(charge)) continue;
    // One that failed before its response arrived has no reference.
    const isNamed = row?.reference === reference || (expected === 'failed' && row?.reference === null);
    const isSame =
      row !== undefined &&
      isAtProvider(row) &&
      isNamed &&
      row.status === expected &&
      (row.amount === amount || isTakenBack) &&
      payments.get(row.paymentId)?.reference === charge;
    if (!isSame) notHere(refund, row === undefined ? `no refund ${refundId}` : describeRefund(row));
    if (outside.length > (refundId === null ? 1 : 0))
      notHere(refund, outside.map(describeRefund).join(' and '));
  }

  for (const [reference, named] of groupedBy(rows.refunds, ({ id, reference: own }) => own ?? id))
    if (named.length > 1)
      found.push(
        violation('refundsWithoutRow', `${reference} is that of ${named.map(describeRefund).join(' and ')}`),
      );

  const known = new Set(ledger.refunds.map(({ reference }) => reference));
  for (const row of rows.refunds) {
    const isUnsettled = row.status === 'pending' && row.reference === null;
    // One that was rejected has no reference.
    const isRejected = row.status === 'failed' && row.reference === null;
    if (isRejected || isUnsettled || !isAtProvider(row) || known.has(row.reference ?? '')) continue;
    found.push(violation('rowsWithoutCharge', describeRefund(row)));
  }
  return found;
};
