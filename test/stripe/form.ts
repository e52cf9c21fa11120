import type { Metadata } from './objects.ts';
import { invalid } from './response.ts';

/** A form by its field names, nested ones as they are sent: `metadata[payment_id]`. */
export type Form = ReadonlyMap<string, string>;

export const readForm = (text: string): Form => new Map(new URLSearchParams(text));

/** JSON, which version 2 of the API takes, as the form that says the same. */
export const readJson = (text: string): Form => {
  const fields = new Map<string, string>();
  const add = (name: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null) fields.set(name, String(value));
    else for (const [key, each] of Object.entries(value)) add(name === '' ? key : `${name}[${key}]`, each);
  };
  if (text !== '') add('', JSON.parse(text));
  return fields;
};

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

/** @returns undefined when it is not given */
export const oneOf = <T extends string>(form: Form, name: string, values: readonly T[]): T | undefined => {
  const value = form.get(name);
  if (value === undefined) return undefined;
  const known = values.find((each) => each === value);
  if (known !== undefined) return known;
  throw invalid(name, `Invalid ${name}: must be one of ${values.join(', ')}`);
};

export const flag = (form: Form, name: string): boolean => oneOf(form, name, ['true', 'false']) === 'true';

/** @returns undefined when none is given */
export const listIn = (form: Form, name: string): readonly string[] | undefined => {
  const values = [...form].flatMap(([key, value]) => (topLevel(key) === name ? [value] : []));
  return values.length === 0 ? undefined : values;
};

export const metadataIn = (form: Form): Metadata =>
  Object.fromEntries(
    [...form].flatMap(([name, value]) => {
      const key = /^metadata\[([^[\]]+)\]$/.exec(name)?.[1];
      return key === undefined ? [] : [[key, value]];
    }),
  );

/** Rejects what Stripe would reject as unknown, and what it knows and this server does not. */
export const allowOnly = (form: Form, ...names: readonly string[]): void => {
  for (const key of form.keys()) {
    const name = topLevel(key);
    if (name !== 'expand' && !names.includes(name)) {
      throw invalid(name, `Received unknown parameter: ${name}`, 'parameter_unknown');
    }
  }
};

const topLevel = (key: string): string => key.replace(/\[.*$/, '');
