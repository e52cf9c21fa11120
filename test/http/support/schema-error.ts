import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

const ajv = new Ajv2020({
  ...{ strict: false, allErrors: true, multipleOfPrecision: 6 },
  // Most schemas check a few values, so shorter code costs more than it saves.
  code: { optimize: false },
});
formats.default(ajv);

const validators = new Map<object, ValidateFunction>();

/**
 * The error of a value that does not match a schema; undefined when it matches.
 * @param form `text` for a value from a query string or header, which may stand for a number or a boolean
 */
export const schemaError = (
  schema: object,
  value: unknown,
  form: 'json' | 'text' = 'json',
): string | undefined => {
  const validate = validators.get(schema) ?? ajv.compile(schema);
  validators.set(schema, validate);
  const read = form === 'text' ? readText(schema, value) : value;
  return validate(read) ? undefined : ajv.errorsText(validate.errors);
};

const readText = (schema: { readonly type?: unknown }, value: unknown): unknown => {
  if (schema.type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return isNumber(schema, value) ? bounded(Number(value)) : value;
};

/** Keeps whole numbers of any length exact. */
const bounded = (value: number): number => Math.min(value, Number.MAX_SAFE_INTEGER);

const isNumber = ({ type }: { readonly type?: unknown }, value: unknown): boolean =>
  typeof value === 'string' &&
  ((type === 'integer' && /^-?\d+$/.test(value)) ||
    (type === 'number' && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value)));
