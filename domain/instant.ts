declare const kind: unique symbol;

/**
 * A point in time, as RFC 3339 text in UTC with milliseconds: `2026-03-01T12:00:00.000Z`.
 * This fixed format sorts by time, needs no conversion in a response, and is immutable, unlike a `Date`.
 */
export type Instant = string & { readonly [kind]: 'instant' };

/**
 * RFC 3339 section 5.6, with at most nine decimals. It excludes the hour 24, which `Date.parse` accepts and RFC 3339 does
 * not.
 */
const pattern =
  /^\d{4}-\d{2}-\d{2}[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

export const Instant = {
  /** The last instant that has four digits for its year. */
  get latest(): Instant {
    return latest;
  },

  /** The accepted input format. */
  pattern,

  /** Maximum length of an accepted text. */
  maxLength: '2026-03-01T12:00:00.123456789+01:00'.length,

  /** @param milliseconds since 1970-01-01T00:00:00Z */
  at: (milliseconds: number): Instant => new Date(milliseconds).toISOString() as Instant,

  /** Parses RFC 3339 with any offset. @returns undefined when the format is wrong or the day does not exist */
  parse: (text: string): Instant | undefined => {
    if (!pattern.test(text)) return undefined;
    const milliseconds = Date.parse(text);
    if (Number.isNaN(milliseconds) || !dayExists(text)) return undefined;
    const instant = Instant.at(milliseconds);
    return instant.length === 24 ? instant : undefined;
  },

  /**
   * Parses like `parse`, and rounds up what is less than a millisecond. As an end of a period this divides instants, which have
   * whole milliseconds, as the text does.
   */
  parseEnd: (text: string): Instant | undefined => {
    const instant = Instant.parse(text);
    if (instant === undefined || !finerThanMilliseconds.test(text)) return instant;
    return instant === latest ? latest : Instant.plus(instant, 1);
  },

  milliseconds: (instant: Instant): number => Date.parse(instant),

  /** @param milliseconds may be negative */
  plus: (instant: Instant, milliseconds: number): Instant => Instant.at(Date.parse(instant) + milliseconds),
};

const finerThanMilliseconds = /\.\d{3}\d*[1-9]/;

const latest = Instant.at(Date.parse('9999-12-31T23:59:59.999Z'));

/** Guards against `Date.parse`, which turns 30 February into 2 March. */
const dayExists = (text: string): boolean => {
  const midnight = Date.parse(`${text.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(text.slice(0, 10));
};
