/* What this tab keeps: `sessionStorage` ends with it, and no other tab can read it. Where the browser stores nothing for the page, it is
   kept until the page is loaded again. */

const unstored = new Map<string, string>();

/** @returns the text that is kept under a name; undefined when there is none */
export const kept = (name: string): string | undefined => {
  if (unstored.has(name)) return unstored.get(name);
  try {
    return sessionStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
};

/** Keeps a text. @returns whether it outlives the page */
export const keep = (name: string, text: string): boolean => {
  unstored.delete(name);
  try {
    sessionStorage.setItem(name, text);
    return true;
  } catch {
    unstored.set(name, text);
    return false;
  }
};

export const forget = (name: string): void => {
  unstored.delete(name);
  try {
    sessionStorage.removeItem(name);
  } catch {
    // Nothing was stored.
  }
};
