import type { Finding } from './finding.ts';

/** How this shop asks its payment provider, and hears from it. */
export interface ProviderInspectionOptions {
  /** Timeout of each call, in milliseconds. */
  readonly timeoutMs: number;
  /** How often the provider's list of events is read, in milliseconds; 0 for never. */
  readonly eventsPollMs: number;
  /** Whether a listener accepts events that the provider sends. */
  readonly listens: boolean;
}

/**
 * Checks an account at a payment provider for `portico doctor`: whether it accepts the credentials, and whether news of payments
 * reach this shop. It changes nothing, moves no money, and returns what it cannot check as a finding.
 */
export type InspectProvider = (options: ProviderInspectionOptions) => Promise<readonly Finding[]>;
