/** Where the two databases do not speak the same SQL. */
export interface Dialect {
  /** Behind a `select`: until the transaction ends, nobody else changes or removes the row. */
  readonly hold: string;
  /** As `hold`, and rows that somebody else holds are left out. */
  readonly holdFree: string;
}
