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
