import type * as t from 'io-ts';
import type { FieldError } from '#domain/errors.ts';
import type { Decoder } from './codec.ts';

/**
 * - `malformed`: the bytes are not JSON as `parseJson` accepts it
 * - `invalid-fields`: the JSON does not match its codec
 */
export type DecodeErrorKind = 'malformed' | 'invalid-fields';

/** Input from outside that cannot be decoded. */
export class DecodeError extends Error {
  readonly kind: DecodeErrorKind;
  /** The invalid fields, by the names that the input gives them. Empty when the input as a whole is wrong. */
  readonly fieldErrors: readonly FieldError[];

  constructor(kind: DecodeErrorKind, message: string, fieldErrors: readonly FieldError[] = []) {
    // No log prints the stack of an input error, and capturing it costs more than the rest of the rejection.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'DecodeError';
    this.kind = kind;
    this.fieldErrors = fieldErrors;
  }
}

export const invalidFields = (fieldErrors: readonly FieldError[]): DecodeError =>
  new DecodeError('invalid-fields', 'Some fields are not valid.', fieldErrors);

/**
 * Decodes parsed input. This is the one place where io-ts's Either becomes an exception.
 * @throws DecodeError 'invalid-fields' with every invalid field; nested fields are dotted, as in `price.amount`
 */
export const decode = <A>(codec: Decoder<A>, input: unknown): A => {
  const result = codec.decode(input);
  if (result._tag === 'Right') return result.right;
  const whole = result.left.find(({ context }) => context.length === 1);
  if (whole) throw new DecodeError('invalid-fields', `The body ${whole.message ?? 'is not valid'}.`);
  throw invalidFields(result.left.map(fieldErrorOf));
};

/** The first entry of an io-ts context is the whole input, which has no field name. */
const fieldErrorOf = ({ context, message }: t.ValidationError): FieldError => ({
  field: context
    .slice(1)
    .map(({ key }) => key)
    .join('.'),
  message: message ?? 'is not valid',
});
