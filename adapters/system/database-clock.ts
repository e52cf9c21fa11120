import type { Clock } from '#application/ports/system.ts';
import { Instant } from '#domain/instant.ts';

export interface DatabaseClock extends Clock {
  /** The same time in milliseconds since 1970, without an `Instant`. */
  milliseconds(): number;
  /**
   * Measures the database's time now, because something has shown that its clock was set. Not more often than once a second, and never
   * twice at the same time.
   */
  measureAgain(): void;
  /** Stops querying the database. The clock goes on. */
  stop(): void;
}

interface Options {
  /** Called with the error when the database could not be queried. The clock goes on with the last known offset. */
  readonly report: (error: unknown) => void;
  /** Milliseconds from any start, unaffected by changes of this machine's clock. */
  readonly monotonic?: () => number;
  /** How far the clock runs ahead of the database's, in milliseconds: a test lets hours pass with it. */
  readonly ahead?: () => number;
}

/** How long after one measurement the next begins. In that time a machine's clock drifts a few milliseconds at most. */
const refreshIntervalMs = 30_000;

/** Shortest interval of the measurements that are asked for. */
const minIntervalMs = 1_000;

/** Queries of one measurement: the fastest response is the most precise. */
const samplesPerMeasurement = 5;

/** How much the database's time may be rounded. */
const resolutionMs = 1;

interface Measurement {
  /** The database's time minus the monotonic time, in milliseconds. */
  readonly offset: number;
  /** The maximum error of the offset, in either direction. */
  readonly uncertainty: number;
}

/**
 * A clock with the time of the database, which is the same for all processes that share it, whatever the clocks of their
 * machines. It measures the offset to a monotonic clock at the start and at intervals, as NTP does.
 * @param queryTime returns the database's time in milliseconds since 1970
 * @throws the error of `queryTime` at the start
 */
export const databaseClock = async (
  queryTime: () => Promise<number>,
  { report, monotonic = () => performance.now(), ahead = () => 0 }: Options,
): Promise<DatabaseClock> => {
  const measure = async (): Promise<Measurement> => {
    let best = { offset: 0, uncertainty: Number.POSITIVE_INFINITY };
    for (let sample = 0; sample < samplesPerMeasurement; sample += 1) {
      const sentAt = monotonic();
      const time = await queryTime();
      // The time was read at an unknown point of the round trip; its middle is wrong by half of it at most.
      const half = (monotonic() - sentAt) / 2;
      const uncertainty = half + resolutionMs;
      if (uncertainty < best.uncertainty) best = { offset: time - (sentAt + half), uncertainty };
    }
    return best;
  };

  let { offset } = await measure();
  let measuredAt = Number.NEGATIVE_INFINITY;
  let isMeasuring = false;
  let isStopped = false;

  const refresh = async (): Promise<void> => {
    clearTimeout(timer);
    isMeasuring = true;
    measuredAt = monotonic();
    try {
      const measurement = await measure();
      // A measurement under load is imprecise: it replaces the offset only where it proves it wrong.
      if (Math.abs(measurement.offset - offset) > measurement.uncertainty) offset = measurement.offset;
    } catch (error) {
      if (!isStopped) report(error);
    }
    isMeasuring = false;
    if (!isStopped) timer = setTimeout(refresh, refreshIntervalMs).unref();
  };
  let timer = setTimeout(refresh, refreshIntervalMs).unref();

  const milliseconds = (): number => Math.floor(monotonic() + offset + ahead());

  /** Formatting an instant is the expensive part, and many requests share a millisecond. */
  let last = { time: Number.NaN, instant: Instant.at(0) };
  const now = (): Instant => {
    const time = milliseconds();
    if (time !== last.time) last = { time, instant: Instant.at(time) };
    return last.instant;
  };

  return {
    now,
    milliseconds,
    measureAgain: () => {
      if (!isStopped && !isMeasuring && monotonic() - measuredAt >= minIntervalMs) void refresh();
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
};
