/** With it Excel reads a CSV file as UTF-8, instead of the encoding of its computer. */
export const byteOrderMark = '\ufeff';

const formula = /^[=+\-@]/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is that of ASCII
const beyondAscii = /[^\x00-\x7f]/;

/** Finds what a spreadsheet would spoil in a CSV file. */
export interface Hazards {
  inspect(cells: readonly string[]): void;
  /** Lines for the reader. @param bom whether the file has a byte order mark */
  warnings(bom: boolean): readonly string[];
}

export const createHazards = (): Hazards => {
  const found = { letters: false, formulas: false };
  return {
    inspect: (cells) => {
      found.letters ||= cells.some((cell) => beyondAscii.test(cell));
      found.formulas ||= cells.some((cell) => formula.test(cell));
    },
    warnings: (bom) => [
      ...(found.letters && !bom
        ? ['Excel would misread letters such as é in this file. Export with --bom for Excel.']
        : []),
      ...(found.formulas
        ? ['A spreadsheet would run a cell of this file as a formula. Open the file as text.']
        : []),
    ],
  };
};
