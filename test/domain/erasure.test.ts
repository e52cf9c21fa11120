import { expect } from 'chai';
import { Address } from '#domain/address.ts';
import { Erasure, type ErasureId } from '#domain/erasure.ts';
import { aFullPurchase, aUser, later, noon } from '#test/contracts/samples.ts';
import { newId } from '#test/support/machine.ts';
import { domainErrorOf } from './domain-error.ts';

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

  it('leaves nothing of a user but id, role and times', () => {
    const user = { ...aUser({ externalId: 'ERP-1', metadata: { tier: 'gold' } }) };
    expect(Erasure.ofUser(user, later(1))).to.deep.equal({
      ...user,
      ...{ status: 'erased', email: `erased-${user.id}@erased.invalid`, name: 'Erased' },
      ...{ externalId: null, metadata: {}, version: 2, updatedAt: later(1) },
    });
    expect(domainErrorOf(() => Erasure.ofUser(Erasure.ofUser(user, noon), noon)).kind).to.equal(
      'invalid-state',
    );
  });

  it('leaves the country of an address, and nothing else', () => {
    const texts = { name: 'Ada', company: 'Hill', line1: '1 Lane', line2: 'x', postalCode: '1' };
    const address = { ...texts, city: 'Bath', region: 'x', country: 'GB', phone: '1' };
    expect(Address.erase(address)).to.deep.equal({
      ...{ name: 'erased', company: null, line1: 'erased', line2: null, postalCode: null },
      ...{ city: 'erased', region: null, country: 'GB', phone: null },
    });
  });

  it('changes nothing a second time', () => {
    const order = { ...aFullPurchase().order, note: 'Ring', externalId: 'E', metadata: { a: 'b' } };
    const once = Erasure.ofOrder(order, later(1));
    expect(once).to.include({ note: null, externalId: null, total: order.total, status: order.status });
    expect(Erasure.hasChanged(order, once)).to.equal(true);
    expect(Erasure.hasChanged(once, Erasure.ofOrder(once, later(2)))).to.equal(false);
  });
});
