interface CardFault {
  readonly code: string;
  readonly decline_code?: string;
  readonly message: string;
}

interface Card {
  readonly declined?: CardFault;
  /** What becomes of a refund, which waits for the bank first. */
  readonly refund?: 'succeeded' | 'failed';
}

const declined = (decline_code: string, message: string, code = 'card_declined'): Card => ({
  declined: { code, decline_code, message },
});

/** https://docs.stripe.com/testing has them, and more. */
export const cards: ReadonlyMap<string, Card> = new Map<string, Card>([
  ['pm_card_visa', {}],
  ['pm_card_chargeDeclined', declined('generic_decline', 'Your card was declined.')],
  [
    'pm_card_chargeDeclinedInsufficientFunds',
    declined('insufficient_funds', 'Your card has insufficient funds.'),
  ],
  [
    'pm_card_chargeDeclinedExpiredCard',
    { declined: { code: 'expired_card', message: 'Your card has expired.' } },
  ],
  [
    'pm_card_authenticationRequired',
    declined(
      'authentication_required',
      'Your card was declined. This transaction requires authentication.',
      'authentication_required',
    ),
  ],
  ['pm_card_pendingRefund', { refund: 'succeeded' }],
  ['pm_card_refundFail', { refund: 'failed' }],
]);
