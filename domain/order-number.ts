import { Id } from './resource.ts';

/** Crockford's base 32: no letters that look alike. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * The last 60 bits of the id, which are random, as twelve characters: `7K3M-9QXA-2DFE`. A number is unlikely to repeat but
 * not guaranteed to be unique; only the id identifies an order.
 */
export const orderNumberOf = (id: Id): string => {
  const digits = Id.toHex(id).slice(-15);
  return `${group(digits.slice(0, 5))}-${group(digits.slice(5, 10))}-${group(digits.slice(10))}`;
};

/** Encodes five hexadecimal digits (20 bits) as four characters. */
const group = (digits: string): string => {
  const bits = Number.parseInt(digits, 16);
  return character(bits >> 15) + character(bits >> 10) + character(bits >> 5) + character(bits);
};

/** Encodes the lowest five bits as one character. */
const character = (bits: number): string => alphabet.charAt(bits & 31);
