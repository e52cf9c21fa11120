import type { IncomingHttpHeaders } from 'node:http';

/** The longest wait, in seconds. A longer one is shortened to it. */
export const maxWaitSeconds = 30;

/** Commas part preferences, but not within quotes. A quote without an end lasts until the end. */
const preferences = /(?:"(?:\\.|[^"])*(?:"|$)|[^,"])+/g;

/** One preference: its name, and its value if it has one (RFC 7240 section 2). Parameters follow behind a semicolon. */
const waitPreference = /^\s*wait\s*=\s*(?:(\d+)|"(\d+)")\s*(?:;.*)?$/i;
const waitName = /^\s*wait\s*(?:[=;]|$)/i;

/**
 * How long the client prefers to wait for a change, in seconds from 1 to 30. Every other preference is ignored, and of several
 * waits all but the first (RFC 7240 section 2).
 * @returns undefined where it does not prefer to wait
 */
export const waitSecondsIn = ({ prefer }: IncomingHttpHeaders): number | undefined => {
  if (prefer === undefined) return undefined;
  const first = `${prefer}`.match(preferences)?.find((preference) => waitName.test(preference));
  const [, token, quoted] = waitPreference.exec(first ?? '') ?? [];
  const seconds = Number(token ?? quoted ?? 0);
  return seconds > 0 ? Math.min(seconds, maxWaitSeconds) : undefined;
};
