import { isMisread, type Ruin, ruinsIn } from '#adapters/product-files/ruined-values.ts';

/** How many lines are named, so that a file of dates does not hide the rest of the report. */
const namedLines = 20;

interface Inspected {
  readonly sku: string;
  readonly name?: string | undefined;
  readonly metadata?: Readonly<Record<string, string | null>> | undefined;
}

/** Finds values that a spreadsheet has changed, and the first name that a program has read in the wrong encoding and saved. */
export interface DoubtfulValues {
  /** @param shortened the stored SKU that this one is without its zeros */
  inspect(line: number, product: Inspected, shortened?: string): void;
  /** @returns lines for the operator */
  warnings(): readonly string[];
}

export const createDoubtfulValues = (): DoubtfulValues => {
  const ruined: string[] = [];
  let others = 0;
  let misread: string | undefined;
  const warn = (line: number, { column, value, text }: Ruin): void => {
    if (ruined.length < namedLines)
      ruined.push(`Check line ${line}: the ${column} ${JSON.stringify(value)} is ${text}`);
    else others += 1;
  };
  return {
    inspect: (line, { sku, name = '', metadata }, shortened) => {
      if (misread === undefined && isMisread(name))
        misread =
          `Check line ${line}: ${JSON.stringify(name)} looks as if its letters were read in the wrong encoding. ` +
          'Export with --bom for Excel, or import with --encoding.';
      for (const ruin of ruinsIn(sku, metadata, shortened && JSON.stringify(shortened))) warn(line, ruin);
    },
    warnings: () => [
      ...(misread === undefined ? [] : [misread]),
      ...ruined,
      ...(others === 0 ? [] : [`Check ${others} more ${others === 1 ? 'line' : 'lines'} like these.`]),
    ],
  };
};
