/** What one check has found. */
export interface Finding {
  /** What was looked at. */
  readonly check: string;
  /** `warn` is for what works today and may not tomorrow; with `fail` the server does not start, or cannot do its work. */
  readonly state: 'ok' | 'warn' | 'fail';
  readonly says: string;
  /** What to do about it, where something is to be done. */
  readonly remedy?: string;
}

/** How the findings of one check are made. */
export const findingsOf = (check: string) => ({
  ok: (says: string): Finding => ({ check, state: 'ok', says }),
  warn: (says: string, remedy: string): Finding => ({ check, state: 'warn', says, remedy }),
  fail: (says: string, remedy: string): Finding => ({ check, state: 'fail', says, remedy }),
});
