/** What becomes of a unit of work that cannot be done with the others: it is begun anew in another group, or in a transaction of its own. */
export type Elsewhere = 'again' | 'singly';

/** Ends a unit of work in its group. Whoever asked for it never hears of it. */
export class Apart extends Error {
  readonly elsewhere: Elsewhere;

  constructor(reason: string, elsewhere: Elsewhere = 'singly') {
    super(reason);
    this.name = 'Apart';
    this.elsewhere = elsewhere;
  }
}
