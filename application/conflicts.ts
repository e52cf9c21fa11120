import { conflictOn, DomainError } from '#domain/errors.ts';
import { type Collections, type Constraints, constraints } from './ports/repositories.ts';

/**
 * The error for a change that would give two resources of a collection the same value of a unique field.
 * @returns DomainError 'conflict', with the field that clients know
 */
export const conflictIn = (collection: keyof Collections, field: string): DomainError => {
  const { conflicts = {} }: Constraints = constraints[collection];
  const { [field]: named } = conflicts;
  return named === undefined
    ? conflictOn(field)
    : new DomainError('conflict', conflictOn(field).message, [named]);
};
