/** How a spreadsheet shows a long number, such as an EAN: 4.00638E+12. Its other digits are lost in the file. */
const rounded = /^\d(?:[.,]\d+)?E\+\d+$/i;

/** What keeps the zeros of `="0007"` in a spreadsheet. */
const formula = /^="/;

/** Finds SKUs that a spreadsheet has changed. */
export interface RuinedSkus {
  inspect(line: number, sku: string): void;
  /** @returns a line for the operator; undefined when there is nothing to say */
  warning(): string | undefined;
}

export const createRuinedSkus = (): RuinedSkus => {
  let warning: string | undefined;
  return {
    inspect: (line, sku) => {
      if (warning !== undefined) return;
      const found = `Check line ${line}: the sku ${JSON.stringify(sku)} is`;
      if (rounded.test(sku)) {
        warning = `${found} a number that a spreadsheet has rounded. Format the column as text, enter the numbers again, and save the sheet.`;
      } else if (formula.test(sku)) {
        warning = `${found} a formula of a spreadsheet. Save its value instead.`;
      }
    },
    warning: () => warning,
  };
};
