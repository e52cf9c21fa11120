import { Id } from './resource.ts';

/** Crockford's base 32: no letters that resemble each other. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** What people write: in either case, and with hyphens or spaces anywhere between two characters, or without. */
const given = /^[0-9A-TV-Za-tv-z](?:[ -]?[0-9A-TV-Za-tv-z]){11}$/;

/** The short number of an order, for people: `7K3M-9QXA-2DFE`. */
export const OrderNumber = {
  /** Accepted input. */
  pattern: given,
  /** Maximum length of accepted input. */
  maxLength: 23,

  /**
   * The last 60 bits of an id, which are random, as twelve characters. A number is unlikely to repeat but not guaranteed to be
   * unique; only the id identifies an order.
   */
  of: (id: Id): string => {
    const digits = Id.toHex(id).slice(-15);
    return `${group(digits.slice(0, 5))}-${group(digits.slice(5, 10))}-${group(digits.slice(10))}`;
  },

  /**
   * Parses a number as people write it. The letters O, I and L are read as the digits that they resemble
   * (https://www.crockford.com/base32.html).
   * @returns the number as orders have it; undefined when the text is none
   */
  parse: (text: string): string | undefined => {
    if (!given.test(text)) return undefined;
    const characters = text
      .toUpperCase()
      .replaceAll(/[ -]/g, '')
      .replaceAll('O', '0')
      .replaceAll(/[IL]/g, '1');
    return characters.replace(/^(.{4})(.{4})(.{4})$/, '$1-$2-$3');
  },
};

/** Encodes five hexadecimal digits (20 bits) as four characters. */
const group = (digits: string): string => {
  const bits = Number.parseInt(digits, 16);
  return character(bits >> 15) + character(bits >> 10) + character(bits >> 5) + character(bits);
};

/** Encodes the lowest five bits as one character. */
const character = (bits: number): string => alphabet.charAt(bits & 31);
