import type { ProviderWebhook } from '#application/ports/charge-lifecycle.ts';
import type { Instant } from '#domain/instant.ts';

/** What happens at a provider without Portico. */
export interface Happening {
  /** A payment method of charges to which it can happen. */
  readonly method: string;
  /** Lets it happen. @param reference of the charge */
  readonly happen: (reference: string) => Promise<unknown>;
}

/** What payers, banks and the shop's own staff do at the provider. What a test cannot make them do is omitted, and not tested. */
export interface ProviderWorld {
  /** The payer, who was asked, consents. It happens to no charge that waits no longer. */
  readonly consent?: Happening;
  /** The payer, who was asked, refuses. */
  readonly refuse?: Happening;
  /** A payer who has refused tries again, with another card. It happens to no charge that can no longer be paid. */
  readonly tryAgain?: Happening;
  /** The provider decides later, and charges. */
  readonly agreeLater?: Happening;
  /** The provider decides later, and declines. */
  readonly rejectLater?: Happening;
  /** An authorized charge is captured at the provider. */
  readonly captureExternally?: Happening;
  /** An authorized charge is canceled at the provider, or expires there. */
  readonly cancelExternally?: Happening;
  /** A refund is made at the provider, in full or in part. */
  readonly refundExternally?: Happening;
  /** Refunds are accepted at first, and have succeeded when it has happened. */
  readonly refundLater?: Happening;
  /** Refunds succeed at first, and have failed when it has happened. */
  readonly failRefundLate?: Happening;
  /** The payer disputes the charge at their bank. */
  readonly dispute?: Happening;
  /** Writes an event about a charge as the provider sends it, signed at that time. */
  readonly signEvent?: (reference: string, at: Instant) => Promise<ProviderWebhook>;
  /** Lets the idempotency window pass, so that the provider recognizes no id any more that was used before. */
  readonly forgetIds?: () => Promise<unknown>;
  /** Lets requests be carried out and their responses be lost, or not any more. */
  readonly loseResponses?: (areLost: boolean) => Promise<unknown>;
  /** Lets no request reach the provider any more, or all again. */
  readonly setAvailable?: (isAvailable: boolean) => Promise<unknown>;
}
