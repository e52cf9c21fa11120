import type { Json } from '../../http/support/client.ts';
import { price, type Shop, summary } from '../shop.ts';
import type { Step } from '../step.ts';

const disputeOf = async (shop: Shop, payment: Json, status: string): Promise<Json> => {
  const [dispute] = await shop.eventually(
    () => shop.get(`disputes?payment_id=${payment.id}`),
    ([first]) => first?.status === status,
  );
  return dispute;
};

const disputedAmount = async (shop: Shop, { id }: Json): Promise<number> =>
  (await shop.get(`payments/${id}`)).disputed.amount;

const won: Step = {
  name: 'pm_card_createDispute is disputed, cannot be refunded, and is won by winning_evidence',
  isLate: true,
  run: async (shop, observe) => {
    const payment = await shop.paid('pm_card_createDispute');
    const dispute = await disputeOf(shop, payment, 'needs_response');
    observe('dispute', `${dispute?.status} ${dispute?.reason}`, 'needs_response fraudulent');
    if (dispute === undefined) return;
    observe('disputed', await disputedAmount(shop, payment), price);
    observe('refund', summary(await shop.refund(payment)), '409 INVALID_STATE');
    await shop.stripe.disputes.update(dispute.provider_reference, {
      evidence: { uncategorized_text: 'winning_evidence' },
    });
    observe('dispute, later', (await disputeOf(shop, payment, 'won'))?.status, 'won');
    observe('disputed, later', await disputedAmount(shop, payment), 0);
  },
};

const lost: Step = {
  name: 'pm_card_createDisputeProductNotReceived is disputed, and lost by losing_evidence',
  isLate: true,
  run: async (shop, observe) => {
    const payment = await shop.paid('pm_card_createDisputeProductNotReceived');
    const dispute = await disputeOf(shop, payment, 'needs_response');
    observe('dispute', `${dispute?.status} ${dispute?.reason}`, 'needs_response product_not_received');
    if (dispute === undefined) return;
    await shop.stripe.disputes.update(dispute.provider_reference, {
      evidence: { uncategorized_text: 'losing_evidence' },
    });
    observe('dispute, later', (await disputeOf(shop, payment, 'lost'))?.status, 'lost');
    observe('disputed, later', await disputedAmount(shop, payment), price);
    observe('refund', summary(await shop.refund(payment)), '409 AMOUNT_EXCEEDED');
  },
};

const inquiry: Step = {
  name: 'pm_card_createDisputeInquiry is an inquiry, which takes no money',
  isLate: true,
  run: async (shop, observe) => {
    const payment = await shop.paid('pm_card_createDisputeInquiry');
    observe('dispute', (await disputeOf(shop, payment, 'warning'))?.status, 'warning');
    observe('disputed', await disputedAmount(shop, payment), 0);
  },
};

export const disputeSteps: readonly Step[] = [won, lost, inquiry];
