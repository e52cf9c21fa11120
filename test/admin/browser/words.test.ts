import { expect } from 'chai';
import { scopes } from '#domain/access.ts';
import { eventTypes, subjectTypes } from '#domain/event.ts';
import { accessMatrix } from '../../support/access-matrix.ts';

const browser = new URL('../../../adapters/ops/admin/browser/', import.meta.url);

interface Group {
  readonly name: string;
  readonly items: readonly (readonly [string, string])[];
}

describe('The admin page has words', () => {
  it('for all types of events, in the group of what they tell of', async () => {
    const { eventGroups, eventLabel } = await import(`${browser}event-types.ts`);
    const groups: readonly Group[] = eventGroups;
    const shown = groups.flatMap(({ items }) => items.map(([type]) => type));
    expect(shown).to.have.members([...eventTypes]);
    expect(groups.map(({ name }) => name)).to.have.members([...subjectTypes]);
    for (const { name, items } of groups)
      for (const [type] of items) expect(type.startsWith(`${name}.`), type).to.equal(true);
    expect(eventLabel('order.paid')).to.equal('Order: paid');
    expect(eventLabel('parcel.sent')).to.equal('parcel.sent');
  });

  it('for all requests that take an idempotency key', async () => {
    const { taskOf } = await import(`${browser}views/idempotency-keys/tasks.ts`);
    for (const { target } of accessMatrix) {
      const [method = '', path = ''] = target.split(' ');
      if (method === 'GET') continue;
      const id = crypto.randomUUID();
      for (const shown of [`/v1${path}`, `/v1${path.replaceAll(/\{\w+\}/g, id)}`])
        expect(taskOf({ method, path: shown }), target).to.match(/^[A-Z][a-z]/);
    }
    expect(taskOf({ method: 'POST', path: '/v1/parcels' })).to.equal('POST /v1/parcels');
  });

  it('for all scopes of keys', async () => {
    const { rightsInShort, rightsOf, scopeGroups } = await import(`${browser}scopes.ts`);
    const groups: readonly Group[] = scopeGroups;
    const shown = groups.flatMap(({ items }) => items.map(([scope]) => scope));
    expect(shown).to.have.members([...scopes]);
    expect(rightsOf(['orders:read', 'parcels:read'])).to.deep.equal([
      ['Orders', 'see'],
      ['parcels:read', ''],
    ]);
    expect(rightsInShort(scopes)).to.equal('Everything');
    expect(rightsInShort(['orders:read', 'reviews:read'])).to.equal('Orders, Reviews');
  });
});
