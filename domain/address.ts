import { country } from './country.ts';
import type { FieldError } from './errors.ts';
import { violations } from './rule.ts';
import { text } from './text.ts';

/** A postal address. */
export interface Address {
  readonly name: string;
  readonly company: string | null;
  readonly line1: string;
  readonly line2: string | null;
  readonly postalCode: string | null;
  readonly city: string;
  readonly region: string | null;
  /** ISO 3166-1 alpha-2, or `XK`. */
  readonly country: string;
  readonly phone: string | null;
}

/** A JSON merge patch of an address (RFC 7396): null removes a field. */
export type AddressPatch = { readonly [F in keyof Address]?: Address[F] | null };

const rules = {
  name: text(1, 200),
  company: text(0, 200),
  line1: text(1, 200),
  line2: text(0, 200),
  postalCode: text(0, 20),
  city: text(1, 100),
  region: text(0, 100),
  country,
  phone: text(0, 30),
};

const required = ['name', 'line1', 'city', 'country'] as const satisfies readonly (keyof Address)[];

const empty = { name: null, company: null, line1: null, line2: null, postalCode: null, city: null };
const erasedTexts = { name: 'erased', line1: 'erased', city: 'erased' };
const emptyAddress = { ...empty, region: null, country: null, phone: null };

export const Address = {
  rules,
  required,

  /** The address without personal data. The country stays: sums and taxes depend on it. */
  erase: ({ country }: Address): Address => ({ ...emptyAddress, ...erasedTexts, country }),

  /**
   * Merges a patch into the stored address, or into an empty one.
   * @returns the address, or every invalid field of the result
   */
  merge: (
    stored: Address | null,
    patch: AddressPatch,
  ): Address | { readonly errors: readonly FieldError[] } => {
    const merged = { ...emptyAddress, ...stored, ...patch };
    const missing = required
      .filter((field) => merged[field] === null)
      .map((field) => ({ field, message: 'is required in an address' }));
    const errors = [...missing, ...violations(rules, merged as Address)];
    return errors.length > 0 ? { errors } : (merged as Address);
  },
};
