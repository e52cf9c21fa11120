import { expect } from 'chai';
import { Erasure, type ErasureId } from '#domain/erasure.ts';
import { aUser, later, noon } from '#test/contracts/samples.ts';
import { newId } from '#test/support/machine.ts';

describe('An erasure', () => {
  it('is pending until the rows of its user have followed', () => {
    const [id, { id: userId }] = [newId<ErasureId>(), aUser()];
    const pending = Erasure.begin(id, userId, noon);
    const common = { id, createdAt: noon, userId };
    expect(pending).to.deep.equal({ ...common, version: 1, updatedAt: noon, status: 'pending' });
    expect(Erasure.complete(pending, later(5))).to.deep.equal({
      ...{ ...common, version: 2, updatedAt: later(5), status: 'completed' },
    });
  });
});
