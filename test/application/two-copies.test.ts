import { cp } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { toPublicError } from '#adapters/http/errors.ts';
import { retryOnConflict } from '#adapters/persistence/retry.ts';
import * as errors from '#application/errors.ts';
import { retryOnceOnConflict, type UnitOfWork } from '#application/ports/unit-of-work.ts';
import { conflictOn, DomainError, invalidField } from '#domain/errors.ts';
import { temporaryFolder } from '../support/temporary.ts';

describe('Errors of another copy of Portico', () => {
  const place = temporaryFolder();
  let domain: typeof import('#domain/errors.ts');
  let application: typeof errors;
  before(async () => {
    for (const folder of ['domain', 'application']) {
      await cp(folder, place('copy', folder), { recursive: true });
    }
    await cp('package.json', place('copy', 'package.json'));
    const load = (file: string) => import(pathToFileURL(place('copy', file)).href);
    domain = await load('domain/errors.ts');
    application = await load('application/errors.ts');
    expect(domain.DomainError).to.not.equal(DomainError);
  });

  it('become the same statuses', () => {
    expect(toPublicError(domain.conflictOn('sku'))).to.deep.equal(toPublicError(conflictOn('sku')));
    expect(toPublicError(domain.conflictOn('sku')).status).to.equal(409);
    expect(toPublicError(domain.invalidField('sku', 'is long'))).to.deep.equal(
      toPublicError(invalidField('sku', 'is long')),
    );
    expect(toPublicError(domain.invalidField('sku', 'is long')).status).to.equal(422);
    const other = toPublicError(new application.ApplicationError('provider-timeout', 'Too slow.'));
    expect(other.status).to.equal(504);
    expect(other).to.not.have.property('unavailableReason');
    expect(toPublicError(new application.UnavailableError('draining'))).to.include({
      status: 503,
      unavailableReason: 'draining',
    });
  });

  it('have the work run again after a conflict, and not after a lasting violation', async () => {
    let attempts = 0;
    const result = await retryOnConflict(async () => {
      attempts += 1;
      if (attempts < 3) throw new application.ConcurrencyConflict('Another was first.');
      return 'done';
    });
    expect([result, attempts]).to.deep.equal(['done', 3]);
    const race = () => Promise.reject(new application.ConstraintRace('one_live_payment'));
    const error = await retryOnConflict(race).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(errors.ConstraintViolation);
  });

  it('have an insert of what is missing tried once more', async () => {
    let attempts = 0;
    const run = async () => {
      attempts += 1;
      if (attempts === 1) throw domain.conflictOn('email');
    };
    await retryOnceOnConflict({ run } as unknown as UnitOfWork, async () => undefined);
    expect(attempts).to.equal(2);
  });

  it('are told apart: each is of its own class and of those above it', () => {
    const every = [
      DomainError,
      errors.ApplicationError,
      errors.UnavailableError,
      errors.ConstraintViolation,
      errors.ConcurrencyConflict,
      errors.ConstraintRace,
    ];
    const namesOf = (error: unknown) => every.filter((type) => error instanceof type).map(({ name }) => name);
    for (const copy of [application, errors]) {
      expect(namesOf(new copy.UnavailableError('draining'))).to.deep.equal([
        'ApplicationError',
        'UnavailableError',
      ]);
      expect(namesOf(new copy.ApplicationError('key-reused', ''))).to.deep.equal(['ApplicationError']);
      expect(namesOf(new copy.ConstraintViolation(''))).to.deep.equal(['ConstraintViolation']);
      expect(namesOf(new copy.ConcurrencyConflict(''))).to.deep.equal(['ConcurrencyConflict']);
      expect(namesOf(new copy.ConstraintRace(''))).to.deep.equal(['ConcurrencyConflict', 'ConstraintRace']);
    }
    for (const value of [new Error(), undefined, null, 'DomainError', 7, { name: 'DomainError' }]) {
      expect(namesOf(value)).to.deep.equal([]);
    }
    class Own extends DomainError {}
    expect(new Own('conflict', '') instanceof DomainError).to.equal(true);
    expect(conflictOn('sku') instanceof Own).to.equal(false);
  });
});
