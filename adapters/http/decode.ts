import type * as t from 'io-ts';
import { DomainError, type FieldFault } from '#domain/errors.ts';
import type { Codec } from './codecs.ts';

/**
 * The one place where io-ts's Either becomes an exception.
 * @throws DomainError 'validation' with each field at fault, nested fields dotted
 */
export const decode = <A>(codec: Codec<A>, input: unknown): A => {
  const result = codec.decode(input);
  if (result._tag === 'Right') return result.right;
  const faults = result.left.map(faultOf);
  if (faults.some(({ field }) => field === '')) {
    throw new DomainError('validation', `The body ${faults[0]?.message ?? 'is not valid'}.`);
  }
  throw new DomainError('validation', 'Some fields are not valid.', faults);
};

const faultOf = ({ context, message }: t.ValidationError): FieldFault => ({
  field: context
    .map(({ key }) => key)
    .filter((key) => key !== '')
    .join('.'),
  message: message ?? 'is not valid',
});
