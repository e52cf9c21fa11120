/** Everything that must never happen, and its label in the table. */
export const violationKinds = {
  duplicateCharges: 'charges made twice',
  duplicateRefunds: 'refunds made twice',
  chargesWithoutRow: 'charges without a matching row',
  refundsWithoutRow: 'refunds without a matching row',
  rowsWithoutCharge: 'local successes without a charge or refund',
  captures: 'captures that differ from the provider',
  disputes: 'disputes that differ from the provider',
  waiting: 'payments that wait, and the provider does not',
  livePayments: 'orders with two live payments',
  forgedEvents: 'forged events that were accepted',
  rowsMadeTwice: 'rows made twice, or without a request',
  changedResponses: 'responses that changed between replays',
  untrueResponses: 'responses that differ from the row',
  stuckKeys: 'keys stuck beyond their lease',
  stranded: 'payments, refunds and orders left unfinished',
  stock: 'stock sold twice, or lost',
  money: 'money that does not add up',
  unfinishedErasures: 'erasures that were not completed',
  personalData: 'personal data that erasures have left',
  erasedActors: 'orders and payments of erased users',
  secrets: 'client secrets and redirect URLs in the open',
  events: 'events that are missing, double or out of order',
  lastEvents: 'last events that differ from their resource',
  reader: 'events that a reader has missed, or read twice or too early',
  deliveries: 'events that have not reached a webhook endpoint',
  ordering: 'webhooks of a sequential endpoint out of order',
  signatures: 'webhooks whose signature does not verify',
  takeovers: 'deliveries that were taken over too late',
  lag: 'webhook endpoints that lag after the last kill',
  endpointSecrets: 'secrets of webhook endpoints in the open',
  unexpectedResponses: 'unexpected responses',
  deadServers: 'servers that ended by themselves',
} as const;

export type ViolationKind = keyof typeof violationKinds;

export interface Violation {
  readonly kind: ViolationKind;
  /** Ids, keys and statuses that help to find it. */
  readonly detail: string;
}

export const violation = (kind: ViolationKind, detail: string): Violation => ({ kind, detail });

/** Violations of a kind that are listed; the others are only counted. */
const maxListed = 10;

/** The violations found so far, each printed when it is found. */
export class Violations {
  readonly #counts = new Map<ViolationKind, number>();
  #isClosed = false;
  readonly #print: (line: string) => void;

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  /** From now on nothing counts: failures are expected while everything is stopped. */
  close(): void {
    this.#isClosed = true;
  }

  add(...found: readonly Violation[]): void {
    if (this.#isClosed) return;
    for (const { kind, detail } of found) {
      const count = this.count(kind) + 1;
      this.#counts.set(kind, count);
      if (count <= maxListed) this.#print(`VIOLATION  ${violationKinds[kind]}: ${detail}`);
      if (count === maxListed + 1)
        this.#print(`VIOLATION  ${violationKinds[kind]}: from now on only counted`);
    }
  }

  count(kind: ViolationKind): number {
    return this.#counts.get(kind) ?? 0;
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }
}
