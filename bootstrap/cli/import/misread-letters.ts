/**
 * A letter in UTF-8 that was read as Windows-1252: the first byte of a character, then one that continues it. `é` becomes `Ã©`,
 * and `’` becomes `â€™`.
 */
const misread = /[ÃÂ][\u00a0-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ\u0080-\u009f]|â€[\u0080-\u00bf™œ“”˜¦]/;

/** Finds names that a program has read in the wrong encoding and saved. */
export interface MisreadLetters {
  inspect(line: number, name: string): void;
  /** @returns a line for the operator; undefined when there is nothing to say */
  warning(): string | undefined;
}

export const createMisreadLetters = (): MisreadLetters => {
  let first: { readonly line: number; readonly name: string } | undefined;
  return {
    inspect: (line, name) => {
      if (first === undefined && misread.test(name)) first = { line, name };
    },
    warning: () =>
      first &&
      `Check line ${first.line}: ${JSON.stringify(first.name)} looks as if its letters were read in the wrong encoding. ` +
        'Export with --bom for Excel, or import with --encoding.',
  };
};
