// Values that a spreadsheet has ruined, recognized as `portico import products` recognizes them.

/** What a spreadsheet shows in place of a value that it could not calculate. */
const errors =
  /^#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NULL!|NUM!|SPILL!|CALC!|NV|BEZUG!|WERT!|ZAHL!|ÜBERLAUF!)$|^Err:5\d\d$|^#{3,}$/i;

/** @returns whether a cell is an error of a spreadsheet instead of a value */
export const isSpreadsheetError = (cell) => errors.test(cell.trim());

const month =
  '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mär|Mrz|Mai|Okt|Dez|janv|févr|mars|avr|juin|juil|août|sept|déc|ene|abr|ago|dic)';

const dates = [
  /^(?:0?[1-9]|[12]\d|3[01])([./])(?:0?[1-9]|[12]\d|3[01])\1(?:(?:19|20)\d\d|\d\d)$/,
  /^(?:0?[1-9]|[12]\d|3[01])-(?:0?[1-9]|1[0-2])-(?:19|20)\d\d$/,
  /^(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:[ T]00:00(?::00)?)?$/,
  new RegExp(`^(?:0?[1-9]|[12]\\d|3[01])(?:[-/ ]|\\. ?)${month}\\.?(?:[-/ ](?:19|20)?\\d\\d)?$`),
  new RegExp(`^${month}\\.?[-/ ](?:19|20)?\\d\\d$`),
];

const rounded = /^\d(?:[.,]\d+)?E\+\d+$/i;
const formula = /^="/;

/** @returns what a spreadsheet has made of an article number; undefined for any other */
export const ruinOf = (sku) => {
  if (rounded.test(sku))
    return 'a number that a spreadsheet has rounded. Format the column as text, enter the numbers again, and save the sheet.';
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
