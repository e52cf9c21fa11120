const candidates = [',', ';', '\t', '|'] as const;

export interface Delimiter {
  readonly delimiter: string;
  /** Whether the first line is no row, but names the delimiter: `sep=;`. */
  readonly isDeclared: boolean;
}

/**
 * The delimiter of a file.
 * @param isKnown whether a name is one that the reader of the file expects
 */
export const delimiterOf = (firstLine: string, isKnown: (name: string) => boolean): Delimiter => {
  const declared = declaredDelimiter(firstLine);
  return declared === undefined
    ? { delimiter: detectDelimiter(firstLine, isKnown), isDeclared: false }
    : { delimiter: declared, isDeclared: true };
};

/** @returns undefined when the line is no such line as Excel reads */
const declaredDelimiter = (line: string): string | undefined => {
  const [, delimiter] = /^\s*"?sep=([^\w"\s]|\t)"?[,;\t|]*\s*$/i.exec(line) ?? [];
  return delimiter !== undefined && delimiter <= '~' ? delimiter : undefined;
};

/** The one that yields the most known names, then the most names. A comma when all are alike. */
const detectDelimiter = (header: string, isKnown: (name: string) => boolean): string => {
  let best: { readonly delimiter: string; readonly known: number; readonly all: number } | undefined;
  for (const delimiter of candidates) {
    const names = splitHeader(header, delimiter);
    const known = names.filter(isKnown).length;
    const isBetter =
      best === undefined || known > best.known || (known === best.known && names.length > best.all);
    if (isBetter) best = { delimiter, known, all: names.length };
  }
  return best?.delimiter ?? ',';
};

/** Splits outside of quotes, and removes them. */
const splitHeader = (header: string, delimiter: string): readonly string[] => {
  const names = [''];
  let isQuoted = false;
  for (const character of header.trimEnd()) {
    if (character === '"') isQuoted = !isQuoted;
    else if (character === delimiter && !isQuoted) names.push('');
    else names[names.length - 1] += character;
  }
  return names;
};
