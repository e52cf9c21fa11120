/** Where a unit of work runs that its group evicts: in a later group (`again`), or in a transaction of its own (`singly`). */
export type Elsewhere = 'again' | 'singly';

/** Evicts a unit of work from its group. It never leaves the adapter: the work runs elsewhere, and the client gets that result. */
export class Apart extends Error {
  readonly elsewhere: Elsewhere;

  constructor(reason: string, elsewhere: Elsewhere = 'singly') {
    super(reason);
    this.name = 'Apart';
    this.elsewhere = elsewhere;
  }
}
