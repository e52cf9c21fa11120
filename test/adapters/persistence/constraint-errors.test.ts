import { expect } from 'chai';
import { constraintError } from '#adapters/persistence/sql/constraint-errors.ts';
import { ConcurrencyConflict, ConstraintRace, ConstraintViolation } from '#application/errors.ts';

describe('A violated constraint', () => {
  it('has the unit of work run again where two databases of a cluster gave the same key', () => {
    const error = constraintError('event_queue_pkey', new Error('1062'));
    expect(error).to.be.instanceOf(ConcurrencyConflict).and.not.instanceOf(ConstraintRace);
  });

  it('is a race where another unit of work may have been first, and otherwise a fault', () => {
    expect(constraintError('idempotency_keys_pkey', new Error('1062'))).to.be.instanceOf(ConstraintRace);
    expect(constraintError('products_pkey', new Error('1062'))).to.be.instanceOf(ConstraintViolation);
  });
});
