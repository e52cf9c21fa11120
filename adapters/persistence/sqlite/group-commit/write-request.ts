import { throwIfExpired } from '../../deadline.ts';
import type { GuardedSession } from './guarded-session.ts';

/** How somebody hears what came of a request, once that is sure. */
type Answer = () => void;

/** Somebody wants something done in a transaction. It may be run more than once. */
export interface Request {
  readonly run: (session: GuardedSession) => Promise<Answer>;
  readonly refuse: (error: unknown) => void;
  /** When nobody waits for it any more, and when it has waited long enough for other processes, by `performance.now()`. */
  readonly until: number;
  readonly patience: number;
  /** Whether nobody else may have a part in its transaction. */
  readonly isAlone: boolean;
  /** Whether it is to survive a power loss. */
  readonly isDurable: boolean;
}

/** What came of a request, as long as the transaction is committed. */
export interface Outcome {
  readonly answer: Answer;
  readonly isRefused: boolean;
}

/** Runs it in the transaction that is open, and leaves nothing of what was refused, nor then of the transaction. Never rejects. */
export const carryOut = async (request: Request, session: GuardedSession): Promise<Outcome> => {
  try {
    // It may have waited for long behind others.
    throwIfExpired(request.until);
    const answer = await request.run(session);
    throwIfExpired(request.until);
    session.end();
    return { answer, isRefused: false };
  } catch (error) {
    session.undo();
    return { answer: () => request.refuse(error), isRefused: true };
  }
};
