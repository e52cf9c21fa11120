import { expect } from 'chai';
import { Role, roles, scopes } from '#domain/access.ts';
import { ApiKey } from '#domain/api-key.ts';
import { anApiKey, aUser, later, noon } from '#test/contracts/samples.ts';
import { domainErrorOf } from './domain-error.ts';

describe('An API key', () => {
  it('belongs to its user, has the hash of its secret, and is unused', () => {
    const owner = aUser();
    const { id } = anApiKey(owner);
    const details = { name: 'Laptop', scopes: ['orders:read'], expiresAt: later(1) } as const;
    expect(ApiKey.issue(id, owner, details, 'c0ffee', noon)).to.deep.equal({
      id,
      version: 1,
      createdAt: noon,
      updatedAt: noon,
      ...details,
      userId: owner.id,
      createdBy: null,
      secretHash: 'c0ffee',
      lastUsedAt: null,
      publishable: false,
      rateLimit: null,
    });
  });

  for (const role of roles) {
    const allowed = Role.scopes(role);

    it(`may have all the scopes of its ${role}`, () => {
      expect(anApiKey(aUser({ role }), { scopes: allowed }).scopes).to.deep.equal(allowed);
    });

    for (const scope of scopes.filter((one) => !allowed.includes(one))) {
      it(`may not have ${scope} when its user is ${role}`, () => {
        const error = domainErrorOf(() => anApiKey(aUser({ role }), { scopes: ['orders:read', scope] }));
        expect(error).to.deep.equal({ kind: 'validation', fields: ['scopes'] });
      });
    }
  }

  it('may be publishable, and then reads products only, once', () => {
    const key = anApiKey(aUser({ role: 'admin' }), {
      publishable: true,
      scopes: ['products:read', 'products:read'],
    });
    expect(key).to.deep.include({ publishable: true, scopes: ['products:read'] });
    for (const scopes of [[], ['reviews:read'], ['products:read', 'products:write']] as const)
      expect(
        domainErrorOf(() => anApiKey(aUser({ role: 'admin' }), { publishable: true, scopes })),
      ).to.deep.equal({
        kind: 'validation',
        fields: ['scopes'],
      });
  });

  it('may have another name and rate limit later', () => {
    const key = anApiKey(aUser());
    const changed = { ...key, name: 'Till', rateLimit: 5, version: 2, updatedAt: later(7) };
    expect(ApiKey.change(key, { name: 'Till', rateLimit: 5 }, later(7))).to.deep.equal(changed);
    expect(ApiKey.change(changed, { rateLimit: null }, later(8)).rateLimit).to.equal(null);
    for (const rateLimit of [0, 1.5, 1_000_001])
      expect(domainErrorOf(() => ApiKey.change(key, { rateLimit }, later(7)))).to.deep.equal({
        kind: 'validation',
        fields: ['rateLimit'],
      });
  });

  it('has each scope once', () => {
    const key = anApiKey(aUser(), { scopes: ['orders:read', 'orders:write', 'orders:read'] });
    expect(key.scopes).to.deep.equal(['orders:read', 'orders:write']);
  });

  it('may have no scope at all', () => {
    expect(anApiKey(aUser(), { scopes: [] }).scopes).to.deep.equal([]);
  });

  for (const name of ['', 'x'.repeat(201)]) {
    it(`may not have a name of ${name.length} characters`, () => {
      expect(domainErrorOf(() => anApiKey(aUser(), { name }))).to.deep.equal({
        kind: 'validation',
        fields: ['name'],
      });
    });
  }

  it('cannot be issued with an expiry in the past', () => {
    expect(domainErrorOf(() => anApiKey(aUser(), { expiresAt: noon }))).to.deep.equal({
      kind: 'validation',
      fields: ['expiresAt'],
    });
    expect(anApiKey(aUser(), { expiresAt: later(1) }).expiresAt).to.equal(later(1));
  });

  it('expires at its expiry, and not before', () => {
    expect(ApiKey.isExpired({ expiresAt: later(5) }, later(4))).to.equal(false);
    expect(ApiKey.isExpired({ expiresAt: later(5) }, later(5))).to.equal(true);
  });

  it('never expires without an expiry', () => {
    expect(ApiKey.isExpired({ expiresAt: null }, later(Number.MAX_SAFE_INTEGER / 10_000))).to.equal(false);
  });

  it('has the time of its last use', () => {
    const key = anApiKey(aUser());
    expect(ApiKey.use(key, later(7))).to.deep.equal({
      ...key,
      version: 2,
      updatedAt: later(7),
      lastUsedAt: later(7),
    });
  });

  it('has another time after each use, also after two in one millisecond', () => {
    const used = ApiKey.use(anApiKey(aUser()), later(7));
    expect(ApiKey.use(used, later(7))).to.include({ version: 3, updatedAt: later(8), lastUsedAt: later(8) });
    expect(ApiKey.use(used, later(6))).to.include({ version: 3, updatedAt: later(7), lastUsedAt: later(6) });
  });
});
