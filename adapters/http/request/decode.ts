import type * as t from 'io-ts';
import type { Reader } from '#adapters/wire/codec.ts';
import type { FieldFault } from '#domain/errors.ts';
import { HttpError, invalidFields } from '../errors.ts';

/**
 * The one place where io-ts's Either becomes an exception.
 * @throws HttpError 'invalid-fields' with each field at fault, nested fields dotted
 */
export const decode = <A>(codec: Reader<A>, input: unknown): A => {
  const result = codec.decode(input);
  if (result._tag === 'Right') return result.right;
  const whole = result.left.find(({ context }) => context.length === 1);
  if (whole) throw new HttpError('invalid-fields', `The body ${whole.message ?? 'is not valid'}.`);
  throw invalidFields(result.left.map(faultOf));
};

/** The first of a context is the whole, which has no name. */
const faultOf = ({ context, message }: t.ValidationError): FieldFault => ({
  field: context
    .slice(1)
    .map(({ key }) => key)
    .join('.'),
  message: message ?? 'is not valid',
});
