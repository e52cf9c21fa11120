const quote = 0x22;
const comma = 0x2c;
const carriageReturn = 0x0d;
const blanks: ReadonlySet<number | undefined> = new Set([0x20, 0x09]);

/** Behind a line of CSV: whether a quoted cell goes on in the next one, or nobody can tell where it ends. */
type QuoteState = 'open' | 'closed' | 'broken';

/**
 * A quote opens where a cell begins, be it behind blanks; in the middle of a cell it is only a wrong sign. The one that
 * closes has a comma or the end of the line behind it.
 * @param isOpen whether a quoted cell goes on from the line before
 */
export const quoteStateAfter = (bytes: Uint8Array, isOpen: boolean): QuoteState => {
  let isWithin = isOpen;
  let from = 0;
  for (let place = bytes.indexOf(quote); place !== -1; place = bytes.indexOf(quote, from)) {
    from = place + 1;
    if (!isWithin) isWithin = beginsCell(bytes, place);
    else if (bytes[from] === quote) from += 1;
    else if (endsCell(bytes, from)) isWithin = false;
    else return 'broken';
  }
  return isWithin ? 'open' : 'closed';
};

const beginsCell = (bytes: Uint8Array, place: number): boolean => {
  let before = place - 1;
  while (blanks.has(bytes[before])) before -= 1;
  return before < 0 || bytes[before] === comma;
};

const endsCell = (bytes: Uint8Array, place: number): boolean => {
  if (bytes[place] === carriageReturn) return place === bytes.length - 1;
  return place === bytes.length || bytes[place] === comma;
};
