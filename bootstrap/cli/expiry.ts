import { Instant } from '#domain/instant.ts';

/** When something ends: at a moment, or so many milliseconds from now. */
export type Expiry = { readonly at: Instant } | { readonly after: number };

const hour = 3_600_000;
const units: Readonly<Record<string, number>> = { h: hour, d: 24 * hour };

/** `12h`, `90d`, `2027-06-30` (as it begins, in UTC), or a time in RFC 3339; undefined when it is none of them. */
export const parseExpiry = (text: string): Expiry | undefined => {
  const [, count = '', unit = ''] = /^(\d{1,5})([hd])$/.exec(text) ?? [];
  const length = units[unit];
  if (length !== undefined) return { after: Number(count) * length };
  const at = Instant.parse(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text);
  return at === undefined ? undefined : { at };
};
