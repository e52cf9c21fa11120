// @ts-nocheck
// Values that a spreadsheet has ruined, recognized as `portico import products` recognizes them.

/** What a spreadsheet shows in place of a value that it could not calculate. */
const errors = new RegExp(
  `^#(?:${[
    'N/A|REF!|VALUE!|DIV/0!|NAME\\?|NULL!|NUM!|SPILL!|CALC!|FIELD!|BLOCKED!|CONNECT!|BUSY!|UNKNOWN!|GETTING_DATA|ERROR!',
    'NV|BEZUG!|WERT!|ZAHL!|ÜBERLAUF!|VALEUR!|NOM\\?|NOMBRE!|NUL!|N/D|RIF!|VALORE!|NOME\\?|NULLO!',
    '¡(?:REF|VALOR|NUM|NULO|DIV/0)!|¿NOMBRE\\?|VALOR!|WAARDE!|VERW!|NAAM\\?|GETAL!|LEEG!|N/B|DEEL/0!|ARG!|ADR!|NAZWA\\?|LICZBA!',
  ].join('|')})$|^Err:5\\d\\d$|^#{3,}$`,
  'i',
);

/** @returns whether a cell is an error of a spreadsheet instead of a value */
export const isSpreadsheetError = (cell) => errors.test(cell.trim());

const month = `(?:${[
  'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Jän|Jänner|Mär|Mrz|Mai|Okt|Dez|janv|févr|mars|avr|mai|juin|juil|août|sept|oct|nov|déc',
  'ene|feb|mar|abr|may|jun|jul|ago|sep|oct|dic|gen|mag|giu|lug|ott|mrt|mei|okt',
].join('|')})`;

const dates = [
  /^(?:0?[1-9]|[12]\d|3[01])([./])(?:0?[1-9]|[12]\d|3[01])\1(?:(?:19|20)\d\d|\d\d)$/,
  /^(?:0?[1-9]|[12]\d|3[01])-(?:0?[1-9]|1[0-2])-(?:19|20)\d\d$/,
  /^(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:[ T]00:00(?::00)?)?$/,
  new RegExp(`^(?:0?[1-9]|[12]\\d|3[01])(?:[-/ ]|\\. ?)${month}\\.?(?:[-/ ](?:19|20)?\\d\\d)?$`),
  new RegExp(`^${month}\\.?[-/ ](?:19|20)?\\d\\d$`),
];

const rounded = /^\d(?:[.,]\d+)?E\+\d+$/i;
const formula = /^="/;

/** @returns what a spreadsheet has made of a long number, such as an EAN; undefined for any other text, also for a date */
export const roundingOf = (text) =>
  rounded.test(text)
    ? 'a number that a spreadsheet has rounded. Format the column as text, enter the numbers again, and save the sheet.'
    : undefined;

/** @returns what a spreadsheet has made of an article number; undefined for any other */
export const ruinOf = (sku) => {
  const rounding = roundingOf(sku);
  if (rounding !== undefined) return rounding;
  if (formula.test(sku)) return 'a formula of a spreadsheet. Save its value instead.';
  if (dates.some((date) => date.test(sku)))
    return 'a date, which spreadsheets make of a number such as 1-2. Format the column as text, enter it again, and save the sheet.';
  return undefined;
};

/** As long as the longest number of an article in use, a GTIN-14. */
const longestNumber = 14;

/** @returns the numbers that a spreadsheet shows as this one, because it takes zeros away from the front */
export const withLeadingZeros = (sku) =>
  /^[1-9]\d*$/.test(sku)
    ? Array.from({ length: Math.max(0, longestNumber - sku.length) }, (_, count) =>
        sku.padStart(sku.length + count + 1, '0'),
      )
    : [];

export const reasonOfShortened = (shortened) =>
  `new, and ${shortened} exists. Spreadsheets take zeros away from the front of a number: format the column as text.`;
