/** The result of one check of `portico doctor`. */
export interface Finding {
  /** What was checked, in one or two words, such as `webhook`. */
  readonly check: string;
  /** `warn`: works today, but may not tomorrow. `fail`: the server does not start, or cannot do its work. */
  readonly state: 'ok' | 'warn' | 'fail';
  /** Without secrets. */
  readonly message: string;
  /** What to do, for a warning or a failure. */
  readonly remedy?: string;
}

/** Constructors for the findings of one check. */
export const findingsFor = (check: string) => ({
  ok: (message: string): Finding => ({ check, state: 'ok', message }),
  warn: (message: string, remedy: string): Finding => ({ check, state: 'warn', message, remedy }),
  fail: (message: string, remedy: string): Finding => ({ check, state: 'fail', message, remedy }),
});

/** How this shop calls its payment provider, and receives its events. */
export interface ProviderInspectionOptions {
  /** Timeout of each call, in milliseconds. */
  readonly timeoutMs: number;
  /** How often the provider's list of events is read, in milliseconds; 0 for never. */
  readonly eventsPollMs: number;
  /** Whether a listener accepts events that the provider sends. */
  readonly listens: boolean;
}

/**
 * Checks an account at a payment provider for `portico doctor`: whether it accepts the credentials, and whether events about payments
 * reach this shop. It changes nothing, moves no money, and returns what it cannot check as a finding.
 */
export type InspectProvider = (options: ProviderInspectionOptions) => Promise<readonly Finding[]>;
