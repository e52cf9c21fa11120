import type { Metadata } from './account.ts';
import { invalid } from './response.ts';

/** A form by its field names, nested ones as they are sent: `metadata[payment_id]`. */
export type Form = ReadonlyMap<string, string>;

export const readForm = (text: string): Form => new Map(new URLSearchParams(text));

/** The same for two forms that say the same in another order. */
export const canonical = (form: Form): string => JSON.stringify([...form].sort());

export const required = (form: Form, name: string): string => {
  const value = form.get(name);
  if (value === undefined || value === '') {
    throw invalid(name, `Missing required param: ${name}.`, 'parameter_missing');
  }
  return value;
};

export const positive = (form: Form, name: string): number => {
  const value = required(form, name);
  if (!/^[1-9]\d{0,7}$/.test(value)) {
    throw invalid(name, `Invalid positive integer: ${value}`, 'parameter_invalid_integer');
  }
  return Number(value);
};

export const metadataIn = (form: Form): Metadata =>
  Object.fromEntries(
    [...form].flatMap(([name, value]) => {
      const key = /^metadata\[([^[\]]+)\]$/.exec(name)?.[1];
      return key === undefined ? [] : [[key, value]];
    }),
  );
