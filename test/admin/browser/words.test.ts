import { expect } from 'chai';
import { eventGroups, eventLabel } from '#adapters/ops/admin/browser/event-types.ts';
import { rightsInShort, rightsOf, scopeGroups } from '#adapters/ops/admin/browser/scopes.ts';
import { taskOf } from '#adapters/ops/admin/browser/views/idempotency-keys/tasks.ts';
import { scopes } from '#domain/access.ts';
import { eventTypes, subjectTypes } from '#domain/event.ts';
import { accessMatrix } from '../../support/access-matrix.ts';

describe('The admin page has words', () => {
  it('for all types of events, in the group of what they tell of', () => {
    const shown = eventGroups.flatMap(({ items }) => items.map(([type]) => type));
    expect(shown).to.have.members([...eventTypes]);
    expect(eventGroups.map(({ name }) => name)).to.have.members([...subjectTypes]);
    for (const { name, items } of eventGroups)
      for (const [type] of items) expect(type.startsWith(`${name}.`), type).to.equal(true);
    expect(eventLabel('order.paid')).to.equal('Order: paid');
    expect(eventLabel('parcel.sent')).to.equal('parcel.sent');
  });

  it('for all requests that take an idempotency key', () => {
    for (const { target } of accessMatrix) {
      const [method = '', path = ''] = target.split(' ');
      if (method === 'GET') continue;
      const id = crypto.randomUUID();
      for (const shown of [`/v1${path}`, `/v1${path.replaceAll(/\{\w+\}/g, id)}`])
        expect(taskOf({ method, path: shown }), target).to.match(/^[A-Z][a-z]/);
    }
    expect(taskOf({ method: 'POST', path: '/v1/parcels' })).to.equal('POST /v1/parcels');
  });

  it('for all scopes of keys', () => {
    const shown = scopeGroups.flatMap(({ items }) => items.map(([scope]) => scope));
    expect(shown).to.have.members([...scopes]);
    expect(rightsOf(['orders:read', 'parcels:read'])).to.deep.equal([
      ['Orders', 'see'],
      ['parcels:read', ''],
    ]);
    expect(rightsInShort(scopes)).to.equal('Everything');
    expect(rightsInShort(['orders:read', 'reviews:read'])).to.equal('Orders, Reviews');
  });
});
