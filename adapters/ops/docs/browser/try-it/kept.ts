/* What the pages of the reference share is kept for this tab: `sessionStorage` ends with it, and no other tab can read it. */

const prefix = 'portico.docs.';

/** @returns what was kept under a name; undefined when there is nothing, or the browser keeps nothing */
export const kept = <Value>(name: string): Value | undefined => {
  try {
    return JSON.parse(sessionStorage.getItem(prefix + name) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
};

/** Keeps a value of JSON; undefined forgets it. */
export const keep = (name: string, value: unknown): void => {
  try {
    if (value === undefined) sessionStorage.removeItem(prefix + name);
    else sessionStorage.setItem(prefix + name, JSON.stringify(value));
  } catch {
    // A browser that stores nothing asks its reader again on the next page.
  }
};
