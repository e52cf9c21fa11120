import type * as t from 'io-ts';
import type { FieldFault } from '#domain/errors.ts';
import type { Codec } from './codecs.ts';
import { HttpError, invalidFields } from './errors.ts';

/**
 * The one place where io-ts's Either becomes an exception.
 * @throws HttpError 'invalid-fields' with each field at fault, nested fields dotted
 */
export const decode = <A>(codec: Codec<A>, input: unknown): A => {
  const result = codec.decode(input);
  if (result._tag === 'Right') return result.right;
  const faults = result.left.map(faultOf);
  if (faults.some(({ field }) => field === '')) {
    throw new HttpError('invalid-fields', `The body ${faults[0]?.message ?? 'is not valid'}.`);
  }
  throw invalidFields(faults);
};

const faultOf = ({ context, message }: t.ValidationError): FieldFault => ({
  field: context
    .map(({ key }) => key)
    .filter((key) => key !== '')
    .join('.'),
  message: message ?? 'is not valid',
});
