import { roundingOf, ruinOf } from '#adapters/product-files/ruined-values.ts';

/** How many lines are named, so that a file of dates does not hide the rest of the report. */
const namedLines = 20;

interface Inspected {
  readonly sku: string;
  readonly metadata?: Readonly<Record<string, string | null>> | undefined;
}

/** Finds SKUs that a spreadsheet has changed, and numbers in metadata, such as EANs, that it has rounded. */
export interface RuinedValues {
  /** @param shortened the stored SKU that this one is without its zeros */
  inspect(line: number, product: Inspected, shortened?: string): void;
  /** @returns lines for the operator */
  warnings(): readonly string[];
}

export const createRuinedValues = (): RuinedValues => {
  const warnings: string[] = [];
  let others = 0;
  const warn = (line: number, name: string, value: string, ruin: string | undefined): void => {
    if (ruin === undefined) return;
    if (warnings.length < namedLines)
      warnings.push(`Check line ${line}: the ${name} ${JSON.stringify(value)} is ${ruin}`);
    else others += 1;
  };
  return {
    inspect: (line, { sku, metadata = {} }, shortened) => {
      const ruin =
        shortened === undefined
          ? ruinOf(sku)
          : `new, and ${JSON.stringify(shortened)} exists. Spreadsheets take zeros away from the front of a number: format the column as text.`;
      warn(line, 'sku', sku, ruin);
      for (const [name, text] of Object.entries(metadata))
        if (text !== null) warn(line, `metadata.${name}`, text, roundingOf(text));
    },
    warnings: () =>
      others === 0
        ? warnings
        : [...warnings, `Check ${others} more ${others === 1 ? 'line' : 'lines'} like these.`],
  };
};
