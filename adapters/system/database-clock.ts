import type { Clock } from '#application/ports/system.ts';
import { Instant } from '#domain/instant.ts';

export interface DatabaseClock extends Clock {
  /** The same time in milliseconds since 1970, for whoever asks often and shows it to nobody. */
  milliseconds(): number;
  /** Asks the database no more. */
  stop(): void;
}

interface Options {
  /** Told why the database could not be asked anew. Until it can, time goes on as it was known. */
  readonly report: (error: unknown) => void;
  /** After how long the database is asked anew, in milliseconds. By then a machine has drifted a few of them at most. */
  readonly pause?: number;
  /** Milliseconds since any moment, which pass at the same pace whatever somebody sets this machine's clock to. */
  readonly monotonic?: () => number;
}

/** How often it is asked for one measure: the quickest answer says most. */
const questions = 5;

/** By how much what it says may be rounded, in milliseconds. */
const rounding = 1;

interface Measure {
  /** From the monotonic time to the database's. */
  readonly offset: number;
  /** By how much the offset may be wrong, either way. */
  readonly doubt: number;
}

/**
 * The time of a database, which is the same for all processes that share it, whatever their machines take for the time.
 * It is asked at the start and now and then; in between, time passes by itself.
 * @param tell what the database says, in milliseconds since 1970
 * @throws what `tell` throws, when that is so at the start
 */
export const databaseClock = async (
  tell: () => Promise<number>,
  { report, pause = 30_000, monotonic = () => performance.now() }: Options,
): Promise<DatabaseClock> => {
  const measure = async (): Promise<Measure> => {
    let best = { offset: 0, doubt: Number.POSITIVE_INFINITY };
    for (let question = 0; question < questions; question += 1) {
      const asked = monotonic();
      const told = await tell();
      // When on the way it was told is not known; the middle is never wrong by more than half of the way.
      const half = (monotonic() - asked) / 2;
      const doubt = half + rounding;
      if (doubt < best.doubt) best = { offset: told - (asked + half), doubt };
    }
    return best;
  };

  let { offset } = await measure();
  let isStopped = false;

  const measureAgain = async (): Promise<void> => {
    try {
      const measured = await measure();
      // What was measured at leisure is not given up for what was measured under load, unless that proves it wrong.
      if (Math.abs(measured.offset - offset) > measured.doubt) offset = measured.offset;
    } catch (error) {
      if (!isStopped) report(error);
    }
    if (!isStopped) timer = setTimeout(measureAgain, pause).unref();
  };
  let timer = setTimeout(measureAgain, pause).unref();

  const milliseconds = (): number => Math.floor(monotonic() + offset);

  /** Many ask within a millisecond. */
  let last = { time: Number.NaN, instant: Instant.at(0) };
  const now = (): Instant => {
    const time = milliseconds();
    if (time !== last.time) last = { time, instant: Instant.at(time) };
    return last.instant;
  };

  return {
    now,
    milliseconds,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
};
