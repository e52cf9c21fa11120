declare const kind: unique symbol;

/**
 * A moment, as RFC 3339 text in UTC with milliseconds: `2026-03-01T12:00:00.000Z`.
 * Text of this one form sorts by time, needs no conversion on its way to a client, and cannot be changed.
 */
export type Instant = string & { readonly [kind]: 'instant' };

/**
 * The hours end at 23 here, for `Date.parse` takes 24:00 for the next day's midnight, and RFC 3339 does not. Nobody's
 * clock has more than nine decimals.
 */
const form =
  /^\d{4}-\d{2}-\d{2}[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

export const Instant = {
  /** What the text looks like that is taken. */
  form,

  /** As long as such a text can be. */
  longest: '2026-03-01T12:00:00.123456789+01:00'.length,

  /** @param milliseconds since 1970-01-01T00:00:00Z */
  at: (milliseconds: number): Instant => new Date(milliseconds).toISOString() as Instant,

  /** Takes RFC 3339 with any offset; undefined when the text is none, or names a day that does not exist. */
  parse: (text: string): Instant | undefined => {
    if (!form.test(text)) return undefined;
    const milliseconds = Date.parse(text);
    if (Number.isNaN(milliseconds) || !dayExists(text)) return undefined;
    const instant = Instant.at(milliseconds);
    return instant.length === 24 ? instant : undefined;
  },

  milliseconds: (instant: Instant): number => Date.parse(instant),

  /** @param milliseconds may be negative */
  plus: (instant: Instant, milliseconds: number): Instant => Instant.at(Date.parse(instant) + milliseconds),
};

/** `Date.parse` turns 30 February into 2 March; a calendar does not. */
const dayExists = (text: string): boolean => {
  const midnight = Date.parse(`${text.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(text.slice(0, 10));
};
