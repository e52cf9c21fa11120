import { untilWon } from '../race-lost.ts';
import type { Session, Statement } from './session.ts';

/** A session for reads outside units of work. Each read stands alone, so each is repeated alone. */
export const readingSession = (session: Session): Session => ({
  query: (statement, values) => untilWon(() => session.query(statement, values)),
  execute: () => Promise.reject(new TypeError('A reading changes nothing.')),
});

/** Asks nothing but whether somebody answers. */
export const ping: Statement = { name: 'ping', text: 'select 1 as here' };
