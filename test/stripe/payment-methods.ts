interface Decline {
  readonly code: string;
  readonly decline_code?: string;
  readonly message: string;
}

export interface PaymentMethod {
  readonly type: 'card' | 'sepa_debit';
  /** Whether the payer has to consent: always, or unless the payment is made off-session. */
  readonly authenticates?: 'always' | 'onSession';
  readonly declined?: Decline;
  /** The bank decides later. */
  readonly delayed?: 'succeeded' | 'failed';
  /** How refunds begin and end, when they do not succeed at once. */
  readonly refund?: readonly ['pending' | 'succeeded', 'succeeded' | 'failed'];
  /** What a dispute that follows at once begins with. */
  readonly dispute?: { readonly reason: string; readonly isInquiry: boolean };
}

const card: PaymentMethod = { type: 'card' };

const decline = (decline_code: string, message: string, code = 'card_declined'): Decline => ({
  code,
  decline_code,
  message,
});

const generic = decline('generic_decline', 'Your card was declined.');
const noFunds = decline('insufficient_funds', 'Your card has insufficient funds.');
const lost = decline('lost_card', 'Your card was declined.');
const stolen = decline('stolen_card', 'Your card was declined.');
const tooOften = decline(
  'card_velocity_exceeded',
  'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
);
const expired: Decline = { code: 'expired_card', message: 'Your card has expired.' };
const wrongCvc: Decline = { code: 'incorrect_cvc', message: "Your card's security code is incorrect." };
const processingError: Decline = {
  code: 'processing_error',
  message: 'An error occurred while processing your card. Try again in a little bit.',
};

/** For a card that has to authenticate when its payer cannot be asked. */
export const authenticationRequired = decline(
  'authentication_required',
  'Your card was declined. This transaction requires authentication.',
  'authentication_required',
);

const always = { ...card, authenticates: 'always' } as const;
const fraudulent = { reason: 'fraudulent', isInquiry: false };

/** https://docs.stripe.com/testing and https://docs.stripe.com/payments/sepa-debit/accept-a-payment have them, and more. */
export const paymentMethods: ReadonlyMap<string, PaymentMethod> = new Map<string, PaymentMethod>([
  ['pm_card_visa', card],
  ['pm_card_mastercard', card],
  ['pm_card_chargeDeclined', { ...card, declined: generic }],
  ['pm_card_visa_chargeDeclined', { ...card, declined: generic }],
  ['pm_card_chargeDeclinedInsufficientFunds', { ...card, declined: noFunds }],
  ['pm_card_visa_chargeDeclinedInsufficientFunds', { ...card, declined: noFunds }],
  ['pm_card_visa_chargeDeclinedLostCard', { ...card, declined: lost }],
  ['pm_card_visa_chargeDeclinedStolenCard', { ...card, declined: stolen }],
  ['pm_card_visa_chargeDeclinedVelocityLimitExceeded', { ...card, declined: tooOften }],
  ['pm_card_chargeDeclinedExpiredCard', { ...card, declined: expired }],
  ['pm_card_chargeDeclinedIncorrectCvc', { ...card, declined: wrongCvc }],
  ['pm_card_chargeDeclinedProcessingError', { ...card, declined: processingError }],
  ['pm_card_authenticationRequired', always],
  ['pm_card_authenticationRequiredOnSetup', always],
  ['pm_card_authenticationRequiredSetupForOffSession', { ...card, authenticates: 'onSession' }],
  ['pm_card_authenticationRequiredChargeDeclinedInsufficientFunds', { ...always, declined: noFunds }],
  ['pm_card_threeDSecure2Required', always],
  ['pm_card_threeDSecureRequired', always],
  ['pm_card_threeDSecureRequiredChargeDeclined', { ...always, declined: generic }],
  ['pm_card_threeDSecureOptional', card],
  ['pm_card_pendingRefund', { ...card, refund: ['pending', 'succeeded'] }],
  ['pm_card_refundFail', { ...card, refund: ['succeeded', 'failed'] }],
  ['pm_card_createDispute', { ...card, dispute: fraudulent }],
  [
    'pm_card_createDisputeProductNotReceived',
    { ...card, dispute: { reason: 'product_not_received', isInquiry: false } },
  ],
  ['pm_card_createDisputeInquiry', { ...card, dispute: { reason: 'fraudulent', isInquiry: true } }],
  ['pm_success_de', { type: 'sepa_debit', delayed: 'succeeded' }],
  ['pm_successDelayed_de', { type: 'sepa_debit', delayed: 'succeeded' }],
  ['pm_failed_de', { type: 'sepa_debit', delayed: 'failed' }],
  ['pm_failedDelayed_de', { type: 'sepa_debit', delayed: 'failed' }],
  ['pm_disputed_de', { type: 'sepa_debit', delayed: 'succeeded', dispute: fraudulent }],
]);

/** @param id of a method that was accepted before */
export const paymentMethod = (id: string): PaymentMethod => paymentMethods.get(id) ?? card;
