/** Whether all percent-encoded parts of a URL can be decoded. Drivers throw for others. */
export const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

/** Bounds what an error shows of a parameter's name. */
const maxShownLength = 40;

/** The name of a parameter as errors show it, whatever a URL has in its place. */
export const shownName = (name: string): string => name.slice(0, maxShownLength).replace(/[^\w.-]/g, '?');

/** A `#` ends a URL: what follows has no effect, although it may have been meant for a password or a parameter. */
export const fragmentProblem = ({ hash }: URL): string | undefined =>
  hash === '' ? undefined : 'must not contain #. Write %23 for it.';
