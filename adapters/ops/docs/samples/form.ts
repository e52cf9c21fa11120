import type { SampleRequest } from './request.ts';

/** What a request of an operation is made of, for a form that a reader fills in. */
export interface RequestForm {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly fields: readonly FormField[];
  /** JSON with the required fields, or with the first one where none is required; absent where there is no body. */
  readonly body?: unknown;
}

export interface FormField {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly isRequired: boolean;
  readonly isNumber: boolean;
  /** All values that it can have, where they are a list; otherwise none. */
  readonly values: readonly string[];
  readonly example: string;
}

/** What a reader has filled in: the text of each field by its place and name, `path.order_id`. */
export type Values = Readonly<Record<string, string>>;

export const fieldId = ({ in: place, name }: Pick<FormField, 'in' | 'name'>): string => `${place}.${name}`;

/** The values of the samples before a reader fills in others: all that is required, and an idempotency key. */
export const exampleValues = ({ fields }: RequestForm): Values =>
  Object.fromEntries(
    fields
      .filter(({ isRequired, name }) => isRequired || name === 'Idempotency-Key')
      .map((field) => [fieldId(field), field.example]),
  );

/** The request with these values. What is empty is not sent. */
export const requestOf = (
  { method, path, fields, body }: RequestForm,
  {
    values,
    ...address
  }: Pick<SampleRequest, 'origin' | 'key'> & {
    readonly values: Values;
    readonly body?: unknown;
  },
): SampleRequest => {
  const filled = fields.flatMap((field) => {
    const value = values[fieldId(field)] ?? '';
    return value === '' ? [] : [{ ...field, value }];
  });
  const at = (place: FormField['in']) =>
    Object.fromEntries(filled.filter((field) => field.in === place).map(({ name, value }) => [name, value]));
  const query = filled.filter((field) => field.in === 'query');
  return {
    ...{ method, path },
    ...(body !== undefined && { body }),
    ...address,
    pathValues: at('path'),
    query: Object.fromEntries(query.map(({ name, value, isNumber }) => [name, numberOr(value, isNumber)])),
    headers: at('header'),
  };
};

/** A number as the typed client accepts it; the text where it is no such number, for the server to reject. */
const numberOr = (value: string, isNumber: boolean): string | number =>
  isNumber && `${Number(value)}` === value ? Number(value) : value;
