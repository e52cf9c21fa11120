/** What a spreadsheet shows in place of a value that it could not calculate, in English and other languages of Europe, and what LibreOffice shows. */
const errors = new RegExp(
  `^#(?:${[
    'N/A|REF!|VALUE!|DIV/0!|NAME\\?|NULL!|NUM!|SPILL!|CALC!|FIELD!|BLOCKED!|CONNECT!|BUSY!|UNKNOWN!|GETTING_DATA|ERROR!',
    'NV|BEZUG!|WERT!|ZAHL!|ÜBERLAUF!|VALEUR!|NOM\\?|NOMBRE!|NUL!|N/D|RIF!|VALORE!|NOME\\?|NULLO!',
    '¡(?:REF|VALOR|NUM|NULO|DIV/0)!|¿NOMBRE\\?|VALOR!|WAARDE!|VERW!|NAAM\\?|GETAL!|LEEG!|N/B|DEEL/0!|ARG!|ADR!|NAZWA\\?|LICZBA!',
  ].join('|')})$|^Err:5\\d\\d$|^#{3,}$`,
  'i',
);

/** @returns whether a cell is an error of a spreadsheet instead of a value */
export const isSpreadsheetError = (cell: string): boolean => errors.test(cell.trim());

/** Without the Italian September: `12-set` is twelve of something. */
const month = `(?:${[
  'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Jän|Jänner|Mär|Mrz|Mai|Okt|Dez|janv|févr|mars|avr|mai|juin|juil|août|sept|oct|nov|déc',
  'ene|feb|mar|abr|may|jun|jul|ago|sep|oct|dic|gen|mag|giu|lug|ott|mrt|mei|okt',
].join('|')})`;

const dates: readonly RegExp[] = [
  /^(?:0?[1-9]|[12]\d|3[01])([./])(?:0?[1-9]|[12]\d|3[01])\1(?:(?:19|20)\d\d|\d\d)$/,
  /^(?:0?[1-9]|[12]\d|3[01])-(?:0?[1-9]|1[0-2])-(?:19|20)\d\d$/,
  /^(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:[ T]00:00(?::00)?)?$/,
  new RegExp(`^(?:0?[1-9]|[12]\\d|3[01])(?:[-/ ]|\\. ?)${month}\\.?(?:[-/ ](?:19|20)?\\d\\d)?$`),
  new RegExp(`^${month}\\.?[-/ ](?:19|20)?\\d\\d$`),
];

/** How a spreadsheet shows a long number, such as an EAN: 4.00638E+12. Its other digits are lost in the file. */
const rounded = /^\d(?:[.,]\d+)?E\+\d+$/i;

/** What keeps the zeros of `="0007"` in a spreadsheet. */
const formula = /^="/;

/** @returns what a spreadsheet has made of a long number, as `ruinOf` does; undefined for any other text, also for a date */
const roundingOf = (text: string): string | undefined =>
  rounded.test(text)
    ? 'a number that a spreadsheet has rounded. Format the column as text, enter the numbers again, and save the sheet.'
    : undefined;

/**
 * What a spreadsheet has made of an SKU, as far as it can be seen from it.
 * @returns a text that follows `the sku … is`; undefined for any other SKU
 */
export const ruinOf = (sku: string): string | undefined => {
  const rounding = roundingOf(sku);
  if (rounding !== undefined) return rounding;
  if (formula.test(sku)) return 'a formula of a spreadsheet. Save its value instead.';
  if (dates.some((date) => date.test(sku)))
    return 'a date, which spreadsheets make of a number such as 1-2. Format the column as text, enter it again, and save the sheet.';
  return undefined;
};

/** A value that a spreadsheet has changed. */
export interface Ruin {
  /** `sku`, or `metadata.ean`. */
  readonly column: string;
  readonly value: string;
  /** Follows `is`. */
  readonly text: string;
}

/**
 * Finds an SKU that a spreadsheet has changed, and numbers in metadata, such as EANs, that it has rounded.
 * @param shortened the stored SKU that this one is without its zeros
 */
export const ruinsIn = (
  sku: string,
  metadata: Readonly<Record<string, unknown>> = {},
  shortened?: string,
): readonly Ruin[] => {
  const texts = Object.entries(metadata).map(
    ([name, text]) => [`metadata.${name}`, `${text}`, roundingOf(`${text}`)] as const,
  );
  const ofSku = shortened === undefined ? ruinOf(sku) : shortenedText(shortened);
  return [['sku', sku, ofSku] as const, ...texts].flatMap(([column, value, text]) =>
    text === undefined ? [] : [{ column, value, text }],
  );
};

/** What follows `is` where a number is new and its like with zeros at the front exists. */
export const shortenedText = (shortened: string): string =>
  `new, and ${shortened} exists. Spreadsheets take zeros away from the front of a number: format the column as text.`;

/** As long as the longest number of an article in use, a GTIN-14. */
const longestNumber = 14;

/**
 * The numbers that a spreadsheet shows as this one, because it removes zeros from the front of a number.
 * @returns none for an SKU that is no number
 */
export const withLeadingZeros = (sku: string): readonly string[] =>
  /^[1-9]\d*$/.test(sku)
    ? Array.from({ length: Math.max(0, longestNumber - sku.length) }, (_, count) =>
        sku.padStart(sku.length + count + 1, '0'),
      )
    : [];

/**
 * A letter in UTF-8 that was read as Windows-1252: the first byte of a character, then one that continues it. `é` becomes `Ã©`,
 * and `’` becomes `â€™`.
 */
const misread = /[ÃÂ][\u00a0-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ\u0080-\u009f]|â€[\u0080-\u00bf™œ“”˜¦]/;

/** Whether a program seems to have read a text in the wrong encoding, and saved it. */
export const isMisread = (text: string): boolean => misread.test(text);
