import { ruinOf } from './ruined-values.ts';

/** How many lines are named, so that a file of dates does not hide the rest of the report. */
const namedLines = 20;

/** Finds SKUs that a spreadsheet has changed. */
export interface RuinedSkus {
  /** @param shortened the stored SKU that this one is without its zeros */
  inspect(line: number, sku: string, shortened?: string): void;
  /** @returns lines for the operator */
  warnings(): readonly string[];
}

export const createRuinedSkus = (): RuinedSkus => {
  const warnings: string[] = [];
  let others = 0;
  return {
    inspect: (line, sku, shortened) => {
      const ruin =
        shortened === undefined
          ? ruinOf(sku)
          : `new, and ${JSON.stringify(shortened)} exists. Spreadsheets take zeros away from the front of a number: format the column as text.`;
      if (ruin === undefined) return;
      if (warnings.length < namedLines)
        warnings.push(`Check line ${line}: the sku ${JSON.stringify(sku)} is ${ruin}`);
      else others += 1;
    },
    warnings: () =>
      others === 0
        ? warnings
        : [...warnings, `Check ${others} more ${others === 1 ? 'line' : 'lines'} like these.`],
  };
};
