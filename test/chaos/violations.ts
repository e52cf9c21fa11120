/** Everything that must never be seen, and how it is called in the table. */
export const violationKinds = {
  duplicateCharges: 'charges made twice',
  duplicateRefunds: 'refunds made twice',
  chargesWithoutRow: 'charges without a local row that says so',
  refundsWithoutRow: 'refunds without a local row that says so',
  rowsWithoutCharge: 'local successes without a charge or refund',
  rowsMadeTwice: 'rows made twice, or without a request',
  changedAnswers: 'answers that changed between replays',
  untrueAnswers: 'answers that say something else than the row',
  stuckKeys: 'keys stuck beyond their lease',
  stranded: 'payments, refunds and orders left unfinished',
  stock: 'stock sold twice, or lost',
  money: 'money that does not add up',
  unexpectedAnswers: 'unexpected responses',
  deadServers: 'servers that ended by themselves',
} as const;

export type ViolationKind = keyof typeof violationKinds;

export interface Violation {
  readonly kind: ViolationKind;
  /** Ids, keys and statuses: whatever helps to find it. */
  readonly detail: string;
}

export const violation = (kind: ViolationKind, detail: string): Violation => ({ kind, detail });

/** Violations of a kind that are listed; the others are only counted. */
const shown = 10;

/** What was found so far, told as it is found. */
export class Violations {
  readonly #counts = new Map<ViolationKind, number>();
  #isClosed = false;
  readonly #tell: (line: string) => void;

  constructor(tell: (line: string) => void) {
    this.#tell = tell;
  }

  /** From now on nothing counts: everything is being ended, and of course things fail. */
  close(): void {
    this.#isClosed = true;
  }

  add(...found: readonly Violation[]): void {
    if (this.#isClosed) return;
    for (const { kind, detail } of found) {
      const count = this.count(kind) + 1;
      this.#counts.set(kind, count);
      if (count <= shown) this.#tell(`VIOLATION  ${violationKinds[kind]}: ${detail}`);
      if (count === shown + 1) this.#tell(`VIOLATION  ${violationKinds[kind]}: from now on only counted`);
    }
  }

  count(kind: ViolationKind): number {
    return this.#counts.get(kind) ?? 0;
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }
}
