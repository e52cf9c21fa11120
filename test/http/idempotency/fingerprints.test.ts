import { hash } from 'node:crypto';
import { expect } from 'chai';
import { fingerprintOf } from '#adapters/http/routing/idempotency-key.ts';

describe('The fingerprint of a request with an idempotency key', () => {
  const request = { method: 'POST', path: '/v1/orders', query: '', body: { items: [1], user_id: '2' } };
  const fingerprint = fingerprintOf(request);

  it('is that of earlier releases when there is no query, so that their keys still replay', () => {
    expect(fingerprint).to.equal(hash('sha256', 'POST /v1/orders\n{"items":[1],"user_id":"2"}'));
    expect(fingerprintOf({ ...request, query: '&' })).to.equal(fingerprint);
  });

  it('differs with method, path, query and body', () => {
    const others = [
      { ...request, method: 'PUT' },
      { ...request, path: '/v1/orders/1' },
      { ...request, query: 'expand=items' },
      { ...request, query: 'expand=payments' },
      { ...request, query: 'expand' },
      { ...request, path: '/v1/orders/expand', query: '=items' },
      { ...request, body: { items: [1] } },
    ].map(fingerprintOf);
    expect(new Set([fingerprint, ...others])).to.have.lengthOf(8);
  });

  it('is the same for the same parameters and the same JSON, however they are written', () => {
    const expanded = { ...request, query: 'a=1&expand=items%2Cuser' };
    for (const query of ['expand=items,user&a=1', '&expand=items%2cuser&&a=%31&'])
      expect(fingerprintOf({ ...expanded, query }), query).to.equal(fingerprintOf(expanded));
    const { items, user_id } = request.body;
    expect(fingerprintOf({ ...request, body: { user_id, items } })).to.equal(fingerprint);
  });
});
