import { crc32 } from 'node:zlib';
import { expect } from 'chai';
import { scopesOf } from '../../support/access-matrix.ts';
import { Client, type Json } from '../support/client.ts';
import {
  expectCreated,
  expectError,
  expectInvalid,
  expectList,
  expectNoContent,
  expectOne,
  idsOf,
} from '../support/expectations.ts';
import { describeLimits, describeReadOnly, notNull, textLimit } from '../support/limits.ts';
import { describeServiceInSimulatedTime, registered } from '../support/service.ts';
import { nowhere } from '../support/shop.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A token with the checksum that belongs to it: its CRC in base 62. */
const withChecksum = (text: string): string => {
  const digits = Array.from({ length: 6 }, (_, place) => Math.floor(crc32(text) / 62 ** (5 - place)) % 62);
  return text + digits.map((digit) => alphabet.charAt(digit)).join('');
};

const customerScopes = scopesOf('customer');
const staffScopes = scopesOf('staff');
const adminScopes = scopesOf('admin');

describeServiceInSimulatedTime(
  'API keys',
  {},
  (service) => {
    const customer = registered(service, 'customer');
    const other = registered(service, 'customer');
    const staff = registered(service, 'staff');

    const issue = (issuer: Client, fields: object = {}) =>
      issuer.post('/v1/api-keys', { name: 'Till', ...fields });

    const newKey = async (issuer: Client, fields: object = {}): Promise<Json> =>
      expectCreated(await issue(issuer, fields), '/v1/api-keys');

    /** The id of the key that a client sends. */
    const idOf = ({ token = '' }: Client): string =>
      token.slice(4, 36).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

    const holderOf = ({ token }: Json): Client => new Client(() => service.url, token);

    describe('created', () => {
      it('show their token once, and it grants the scopes of the key', async () => {
        const { token, ...key } = await newKey(customer);
        expect(token).to.match(/^ptc_[0-9a-f]{32}_[0-9A-Za-z]+$/);
        const { id, version, created_at, updated_at, scopes, ...fields } = key;
        expect(scopes).to.have.members(customerScopes);
        expect(fields).to.deep.equal({
          user_id: customer.userId,
          name: 'Till',
          expires_at: null,
          last_used_at: null,
          created_by: idOf(customer),
          publishable: false,
          rate_limit: null,
        });
        const read = await customer.get(`/v1/api-keys/${id}`);
        expect(expectOne(read)).to.deep.equal(key);
        expect((await customer.get('/v1/api-keys?limit=100')).text).to.not.include(token);
        expectOne(await holderOf({ token }).get(`/v1/users/${customer.userId}`));
      });

      it('have every scope of their owner’s role by default', async () => {
        expect((await newKey(staff)).scopes).to.have.members(staffScopes);
        expect((await newKey(service.operator)).scopes).to.have.members(adminScopes);
        const some = ['orders:read', 'products:read', 'orders:read'];
        const { scopes } = await newKey(customer, { scopes: some });
        expect(scopes).to.have.members(['orders:read', 'products:read']);
      });

      it('cannot have more scopes than their owner’s role', async () => {
        expectInvalid(await issue(customer, { scopes: ['orders:read', 'products:write'] }), 'scopes');
        const forCustomer = { user_id: customer.userId, scopes: ['refunds:write'] };
        expectInvalid(await issue(service.operator, forCustomer), 'scopes');
      });

      it('cannot have more scopes than the key that creates them', async () => {
        const narrow = await service.person('customer', ['api-keys:write', 'api-keys:read']);
        expect((await newKey(narrow)).scopes).to.have.members(['api-keys:read', 'api-keys:write']);
        expectError(await issue(narrow, { scopes: ['orders:read'] }), 'FORBIDDEN');
        await newKey(narrow, { scopes: ['api-keys:read'] });
      });

      it('have only known scopes', async () => {
        expectInvalid(
          await issue(customer, { scopes: ['orders:read', 'orders', '*'] }),
          'scopes.1',
          'scopes.2',
        );
        for (const scopes of ['orders:read', null, {}])
          expectInvalid(await issue(customer, { scopes }), 'scopes');
      });

      it('belong to their creator, or to the user that an administrator names', async () => {
        const forCustomer = await newKey(service.operator, { user_id: customer.userId });
        expect(forCustomer.user_id).to.equal(customer.userId);
        expectOne(await holderOf(forCustomer).get(`/v1/users/${customer.userId}`));
        expect((await newKey(customer, { user_id: customer.userId })).user_id).to.equal(customer.userId);
        expectError(await issue(customer, { user_id: other.userId }), 'FORBIDDEN');
        expectError(await issue(staff, { user_id: customer.userId }), 'FORBIDDEN');
        expectError(await issue(service.operator, { user_id: nowhere }), 'NOT_FOUND');
        expectInvalid(await issue(service.operator, { user_id: '1' }), 'user_id');
      });

      it('need an expiry in the future', async () => {
        const future = new Date(Date.now() + 3_600_000).toISOString();
        expect((await newKey(customer, { expires_at: future })).expires_at).to.equal(future);
        const offset = await newKey(customer, { expires_at: '2999-01-01T00:00:00+01:00' });
        expect(offset.expires_at).to.equal('2998-12-31T23:00:00.000Z');
        const bad = ['2020-01-01T00:00:00Z', '2999-02-30T00:00:00Z', '2999-01-01', 'soon', '', 7, 4e12];
        for (const expires_at of bad) expectInvalid(await issue(customer, { expires_at }), 'expires_at');
      });

      it('name the key that created them, and none for the operator', async () => {
        expect((await newKey(service.operator)).created_by).to.equal(null);
        const parent = await newKey(customer);
        const { token, ...child } = await newKey(holderOf(parent));
        expect(child.created_by).to.equal(parent.id);
        expect(expectOne(await customer.get(`/v1/api-keys/${child.id}`))).to.deep.equal(child);
      });

      it('do not outlive the key that creates them', async () => {
        const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
        const [sooner, soon, later] = [at(1), at(2), at(3)];
        const holder = holderOf(await newKey(customer, { expires_at: soon }));
        expect((await newKey(holder)).expires_at).to.equal(soon);
        for (const expires_at of [sooner, soon])
          expect((await newKey(holder, { expires_at })).expires_at).to.equal(expires_at);
        for (const expires_at of [null, later, '2999-01-01T00:00:00Z'])
          expectError(await issue(holder, { expires_at }), 'FORBIDDEN');
        const grandchild = holderOf(await newKey(holder, { expires_at: sooner }));
        expectError(await issue(grandchild, { expires_at: soon }), 'FORBIDDEN');
        const ofAdmin = holderOf(await newKey(service.operator, { expires_at: soon }));
        const forCustomer = { user_id: customer.userId, expires_at: null };
        expectError(await issue(ofAdmin, forCustomer), 'FORBIDDEN');
        expect((await newKey(ofAdmin, { user_id: customer.userId })).expires_at).to.equal(soon);
      });

      it('stay when the key that created them is revoked', async () => {
        const parent = await newKey(customer);
        const child = await newKey(holderOf(parent));
        expectNoContent(await holderOf(child).delete(`/v1/api-keys/${parent.id}`));
        expect(expectOne(await holderOf(child).get(`/v1/api-keys/${child.id}`)).created_by).to.equal(
          parent.id,
        );
      });

      it('have a rate limit, which administrators write', async () => {
        for (const rate_limit of [1, 1_000_000, null])
          expect((await newKey(service.operator, { rate_limit })).rate_limit).to.equal(rate_limit);
        for (const rate_limit of [0, -1, 1.5, 1_000_001, '5', true, {}, []])
          expectInvalid(await issue(service.operator, { rate_limit }), 'rate_limit');
        for (const client of [customer, staff])
          expectError(await issue(client, { rate_limit: 5 }), 'FORBIDDEN');
      });

      it('need a name', async () => {
        expectInvalid(await customer.post('/v1/api-keys', {}), 'name');
      });

      const send = (body: Json) => issue(other, body);
      describeLimits({ name: notNull(textLimit(1, 200)) }, {}, send);
      describeReadOnly(['token', 'last_used_at', 'created_by', 'secret_hash'], {}, send);
    });

    describe('that are publishable', () => {
      it('have a token of their own kind and one scope, and are created by administrators', async () => {
        const { token, ...key } = await newKey(service.operator, { publishable: true });
        expect(token).to.match(/^ptp_[0-9a-f]{32}_[0-9A-Za-z]{49}$/);
        expect(key).to.deep.include({ publishable: true, scopes: ['products:read'] });
        expect(expectOne(await service.operator.get(`/v1/api-keys/${key.id}`))).to.deep.equal(key);
        const named = { publishable: true, scopes: ['products:read'], user_id: customer.userId };
        expect((await newKey(service.operator, named)).user_id).to.equal(customer.userId);
        for (const scopes of [['products:read', 'orders:read'], ['reviews:read'], []])
          expectInvalid(await issue(service.operator, { publishable: true, scopes }), 'scopes');
        for (const publishable of [null, 1, 'true', {}])
          expectInvalid(await issue(service.operator, { publishable }), 'publishable');
        for (const client of [customer, staff])
          expectError(await issue(client, { publishable: true }), 'FORBIDDEN');
      });

      it('read active products only, also those of an administrator', async () => {
        const holder = holderOf(await newKey(service.operator, { publishable: true }));
        const product = async (status: string) =>
          expectCreated(
            await staff.post('/v1/products', { name: status, price: { amount: 1, currency: 'EUR' }, status }),
            '/v1/products',
          );
        const [active, draft, archived] = [
          await product('active'),
          await product('draft'),
          await product('archived'),
        ];
        expectOne(await holder.get(`/v1/products/${active.id}`));
        for (const { id } of [draft, archived])
          expectError(await holder.get(`/v1/products/${id}`), 'PRODUCT_NOT_FOUND');
        expect(idsOf(expectList(await holder.get('/v1/products?limit=100')))).to.include(active.id);
        for (const status of ['draft', 'archived'])
          expect(expectList(await holder.get(`/v1/products?status=${status}`))).to.deep.equal([]);
      });

      it('can do nothing else', async () => {
        const { id, ...key } = await newKey(service.operator, { publishable: true });
        const holder = holderOf(key);
        for (const list of ['orders', 'users', 'reviews', 'payments', 'refunds', 'api-keys'])
          expectError(await holder.get(`/v1/${list}`), 'FORBIDDEN');
        expectError(await holder.post('/v1/orders', { product_id: nowhere, quantity: 1 }), 'FORBIDDEN');
        expectError(await holder.patch(`/v1/api-keys/${id}`, { name: 'Mine' }), 'FORBIDDEN');
        expectError(await issue(holder), 'FORBIDDEN');
      });

      it('are no other keys under another prefix, whose checksum fits', async () => {
        for (const [publishable, prefix] of [
          [true, 'ptc'],
          [false, 'ptp'],
        ] as const) {
          const { token } = await newKey(service.operator, { publishable });
          const rewritten = withChecksum(`${prefix}${token.slice(3, -6)}`);
          expect(withChecksum(token.slice(0, -6))).to.equal(token);
          expectError(await new Client(() => service.url, rewritten).get('/v1/products'), 'UNAUTHORIZED');
        }
      });
    });

    describe('changed', () => {
      it('get a name from their owner and from administrators, with a new version', async () => {
        const { token, ...key } = await newKey(customer);
        const path = `/v1/api-keys/${key.id}`;
        const renamed = expectOne(await customer.patch(path, { name: 'Desk' }, { 'If-Match': '"1"' }));
        expect(renamed).to.deep.equal({ ...key, name: 'Desk', version: 2, updated_at: renamed.updated_at });
        expectError(
          await customer.patch(path, { name: 'Late' }, { 'If-Match': '"1"' }),
          'PRECONDITION_FAILED',
        );
        expect(expectOne(await service.operator.patch(path, { name: 'Till' })).version).to.equal(3);
        for (const client of [other, staff])
          expectError(await client.patch(path, { name: 'Mine' }), 'FORBIDDEN');
        expectError(await customer.patch(`/v1/api-keys/${nowhere}`, { name: 'None' }), 'NOT_FOUND');
        for (const name of [null, '', ' x', 7]) expectInvalid(await customer.patch(path, { name }), 'name');
        const merge = { 'Content-Type': 'application/merge-patch+json' };
        expect(expectOne(await customer.patch(path, { name: 'Merged' }, merge)).name).to.equal('Merged');
      });

      it('get a rate limit from administrators, and nothing else from anybody', async () => {
        const key = await newKey(customer);
        const path = `/v1/api-keys/${key.id}`;
        for (const rate_limit of [5, 1_000_000, null]) {
          expect(expectOne(await service.operator.patch(path, { rate_limit })).rate_limit).to.equal(
            rate_limit,
          );
          expectError(await customer.patch(path, { rate_limit }), 'FORBIDDEN');
        }
        for (const rate_limit of [0, 1_000_001, 0.5, '5'])
          expectInvalid(await service.operator.patch(path, { rate_limit }), 'rate_limit');
        for (const field of ['user_id', 'scopes', 'expires_at', 'publishable', 'token', 'created_by'])
          expectInvalid(await service.operator.patch(path, { [field]: key[field] ?? null }), field);
      });
    });

    describe('read and revoked', () => {
      it('by their owner and by administrators only, not by staff', async () => {
        const { token, ...key } = await newKey(customer);
        const path = `/v1/api-keys/${key.id}`;
        expect(expectOne(await customer.get(path))).to.deep.equal(key);
        expect(expectOne(await service.operator.get(path))).to.deep.equal(key);
        expect((await customer.get(path, { 'If-None-Match': '"1"' })).status).to.equal(304);
        for (const client of [other, staff]) {
          expectError(await client.get(path), 'FORBIDDEN');
          expectError(await client.delete(path), 'FORBIDDEN');
        }
        expectNoContent(await service.operator.delete(path));
      });

      it('are listed to their owner, and all keys to administrators', async () => {
        const owner = await service.person('customer');
        const { token, ...key } = await newKey(owner);
        const own = expectList(await owner.get('/v1/api-keys'));
        expect(own).to.have.lengthOf(2).and.deep.include(key);
        expect(own.every(({ user_id }) => user_id === owner.userId)).to.equal(true);
        const ofStaff = expectList(await staff.get('/v1/api-keys?limit=100'));
        expect(idsOf(ofStaff)).to.not.include(key.id);
        expect(idsOf(expectList(await service.operator.get('/v1/api-keys?limit=100')))).to.include(key.id);
        expect(expectList(await owner.get(`/v1/api-keys?user_id=${owner.userId}`))).to.have.lengthOf(2);
        expect(expectList(await owner.get(`/v1/api-keys?user_id=${other.userId}`))).to.deep.equal([]);
      });

      it('are rejected and not found afterwards', async () => {
        const key = await newKey(customer);
        const path = `/v1/api-keys/${key.id}`;
        expectError(await customer.delete(path, { 'If-Match': '"9"' }), 'PRECONDITION_FAILED');
        expectNoContent(await customer.delete(path, { 'If-Match': '"1"' }));
        expectError(await customer.get(path), 'NOT_FOUND');
        expectError(await customer.delete(path), 'NOT_FOUND');
        expectError(await holderOf(key).get('/v1/products'), 'UNAUTHORIZED');
      });
    });

    it('have the time of their last use', async () => {
      const key = await newKey(customer);
      await holderOf(key).get('/v1/products');
      const read = async () => expectOne(await customer.get(`/v1/api-keys/${key.id}`));
      const used = await service.until(read, ({ last_used_at }) => last_used_at !== null);
      expect(Date.parse(used.last_used_at)).to.be.closeTo(Date.now(), 60_000);
    });

    it('are rejected once they have expired', async () => {
      const expires_at = new Date(Date.now() + 1_000).toISOString();
      const holder = holderOf(await newKey(customer, { expires_at }));
      expectList(await holder.get(`/v1/users/${customer.userId}/orders`));
      const rejected = await service.until(
        () => holder.get('/v1/orders'),
        ({ status }) => status !== 200,
        5_000,
      );
      expectError(rejected, 'UNAUTHORIZED');
      // The clock of the database is measured to within some milliseconds.
      expect(Date.now()).to.be.at.least(Date.parse(expires_at) - 20);
    });
  },
  { kind: 'sqlite' },
);
