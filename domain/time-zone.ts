import { Instant } from './instant.ts';
import type { TextRule } from './rule.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Clocks differ from UTC by less, also by the sun's time of earlier centuries. */
const greatestOffsetMs = 16 * hourMs;

const maxLength = 64;
const pattern = /^[A-Za-z][A-Za-z0-9_+\-/]*$/;

/** The offset from UTC, as the year 1880 had it with seconds: `GMT+01:05:21`. */
const offset = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

/** A time zone: what clocks of a place show at an instant. */
export interface TimeZone {
  /** @returns what clocks show is ahead of UTC at a point in time, in milliseconds. @param at milliseconds since 1970-01-01T00:00:00Z */
  offsetAt(at: number): number;
}

export const TimeZone = {
  /** The name of a time zone in the IANA database, in letters of either case. An offset such as `+01:00` is none. */
  rule: {
    minLength: 1,
    maxLength,
    pattern,
    violation: (name) =>
      name.length <= maxLength && pattern.test(name) && exists(name)
        ? undefined
        : 'must be the name of a time zone in the IANA database, such as Europe/Vienna',
  } satisfies TextRule as TextRule,

  /** @param name one that satisfies the rule */
  of: (name: string): TimeZone => {
    const format = new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset' });
    return {
      offsetAt: (at) => {
        const [, sign = '+', hours = 0, minutes = 0, seconds = 0] = offset.exec(format.format(at)) ?? [];
        const ahead = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000;
        return sign === '-' ? -ahead : ahead;
      },
    };
  },

  /**
   * Finds when the local day after that of an instant begins: at its first midnight, or where clocks are set forward over it, when they are.
   * @returns milliseconds since 1970-01-01T00:00:00Z, which may be in the year 10000
   */
  nextDay: (zone: TimeZone, instant: Instant): number => {
    const at = Instant.milliseconds(instant);
    const local = at + zone.offsetAt(at);
    const midnight = Math.floor(local / dayMs) * dayMs;
    const next = dayBegins(zone, midnight + dayMs);
    // Clocks that were set back past midnight show the day before once more, whose next day has begun already.
    return next > at ? next : dayBegins(zone, midnight + 2 * dayMs);
  },
};

const exists = (timeZone: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
};

/** @param midnight what clocks show, as if they showed UTC. @returns when they first show it, or else the first time behind it */
const dayBegins = (zone: TimeZone, midnight: number): number => {
  let [before, after] = [midnight - greatestOffsetMs, midnight + greatestOffsetMs];
  const [earlier, later] = [zone.offsetAt(before), zone.offsetAt(after)];
  for (const each of [midnight - earlier, midnight - later])
    if (each + zone.offsetAt(each) === midnight) return each;
  // No clock shows this midnight, so the change that skips it is when the day begins.
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (zone.offsetAt(middle) === earlier) before = middle;
    else after = middle;
  }
  return after;
};
