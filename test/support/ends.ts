import { runInNewContext } from 'node:vm';

/** Far more than work needs whose time grows with the length of its input only, and far less than work whose time grows faster. */
const timeoutMs = 60_000;

/**
 * Runs work that must not take a time which grows faster than its input, such as a regular expression over a long text. It is
 * interrupted instead of hanging, and how long it took is not judged.
 * @throws when it has not ended in a minute
 */
export const ends = (work: () => void): void => {
  runInNewContext('work()', { work }, { timeout: timeoutMs });
};
