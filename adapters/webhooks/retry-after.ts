import type { IncomingHttpHeaders } from 'node:http';
import { maxRetryAfterMs } from '#domain/webhooks/attempts.ts';

/** The three forms of RFC 9110 section 5.6.7. The last has no zone and is in UTC. */
const httpDate = /^[A-Z][a-z]{2,8}, \d{2}[ -][A-Z][a-z]{2}[ -](?:\d{4}|\d{2}) \d{2}:\d{2}:\d{2} GMT$/;
const asctimeDate = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/**
 * Reads Retry-After (RFC 9110 section 10.2.3), a number of seconds or a date. A date is compared with the response's own, so
 * that a clock that is wrong does not count.
 * @param now in milliseconds since 1970, where the response has no date
 * @returns milliseconds, at most an hour; undefined without a valid value
 */
export const retryAfterOf = (headers: IncomingHttpHeaders, now: number): number | undefined => {
  const value = headers['retry-after']?.trim() ?? '';
  const delayMs = /^\d+$/.test(value) ? Number(value) * 1_000 : delayUntil(value, headers.date, now);
  return delayMs === undefined ? undefined : Math.min(Math.max(delayMs, 0), maxRetryAfterMs);
};

const delayUntil = (value: string, date: string | undefined, now: number): number | undefined => {
  const until = parseHttpDate(value);
  return until === undefined ? undefined : until - (parseHttpDate(date ?? '') ?? now);
};

const parseHttpDate = (text: string): number | undefined => {
  const time = asctimeDate.test(text)
    ? Date.parse(`${text} GMT`)
    : httpDate.test(text)
      ? Date.parse(text)
      : NaN;
  return Number.isNaN(time) ? undefined : time;
};
