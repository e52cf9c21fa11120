import { expect } from 'chai';
import type { ApiResponse, Json } from '../support/client.ts';
import {
  expectCreated,
  expectError,
  expectInvalid,
  expectList,
  expectNoContent,
  expectOne,
  idsOf,
} from '../support/expectations.ts';
import { describeLimits, describeReadOnly, type Limits, notNull, textLimit } from '../support/limits.ts';
import { describeService } from '../support/service.ts';
import { newOrder, newProduct, once } from '../support/shop.ts';

const ann = { email: 'ann@shop.example', name: 'Ann' };

const long = `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}`;

const limits: Limits = {
  email: {
    accepts: ['a@b', "o'neil+tea@shop.example", `${long}.${'e'.repeat(6)}`],
    rejects: [`${long}.${'e'.repeat(7)}`, '', 'ann', '@shop', 'a@', 'a b@shop', 'é@shop', 'a@b\n', 7, null],
  },
  name: notNull(textLimit(1, 200)),
  role: { accepts: ['staff', 'admin', 'customer'], rejects: ['owner', 'Admin', '', 1, null] },
  external_id: { accepts: ['!', '~'.repeat(128), null], rejects: ['', 'a b', 'é', '~'.repeat(129), 7, {}] },
};

describeService('Users', {}, (service) => {
  const newUser = async (fields: object = {}): Promise<Json> =>
    expectCreated(await service.operator.post('/v1/users', { ...ann, ...fields }), '/v1/users');

  /** Deletes the user at once, so that the email address is free for the next. */
  const post = async (body: Json): Promise<ApiResponse> => {
    const response = await service.operator.post('/v1/users', body);
    const location = response.headers.get('Location');
    if (location !== null) await service.operator.delete(location);
    return response;
  };

  describe('created', () => {
    describeLimits(limits, ann, post);
    describeReadOnly(['password'], ann, post);

    it('are customers by default, and their address is stored in lower case', async () => {
      const user = expectOne(await post({ email: 'Ann.Tea@Shop.EXAMPLE', name: 'Ann' }), 201);
      const { id, version, created_at, updated_at, ...fields } = user;
      expect(fields).to.deep.equal({
        ...{ email: 'ann.tea@shop.example', name: 'Ann', role: 'customer' },
        ...{ status: 'active', external_id: null, metadata: {} },
      });
    });

    it('need an address and a name', async () => {
      expectInvalid(await post({}), 'email', 'name');
    });

    it('have a unique address, in upper or lower case', async () => {
      await newUser({ email: 'one@shop.example' });
      expectError(await post({ email: 'ONE@shop.example', name: 'Two' }), 'CONFLICT', ['email']);
      const send = () => post({ email: 'Three@shop.example', name: 'Three' });
      const { id } = await newUser({ email: 'three@shop.example' });
      expectError(await send(), 'CONFLICT', ['email']);
      expectNoContent(await service.operator.delete(`/v1/users/${id}`));
      expectOne(await send(), 201);
    });
  });

  describe('changed', () => {
    let path: string;

    before(async () => {
      path = `/v1/users/${(await newUser({ email: 'changed@shop.example' })).id}`;
    });

    const patch = (body: Json, headers = {}) => service.operator.patch(path, body, headers);

    describeLimits(limits, {}, patch);
    describeReadOnly(['password'], {}, patch);

    it('keep omitted fields, and their version when nothing changes', async () => {
      expectOne(await patch({ email: 'Still@shop.example', name: 'Still', role: 'staff' }));
      const before = expectOne(await patch({}));
      expect(before).to.include({ email: 'still@shop.example', name: 'Still', role: 'staff' });
      const after = expectOne(await patch({ name: 'Moved' }));
      const { version, updated_at } = after;
      expect(after).to.deep.equal({ ...before, name: 'Moved', version, updated_at });
      expect(version).to.equal(before.version + 1);
      expect(expectOne(await patch({}))).to.deep.equal(after);
    });

    it('merge their metadata name by name, and null removes one', async () => {
      expectOne(await patch({ external_id: 'ERP-9', metadata: { one: '1', two: '2' } }));
      const after = expectOne(await patch({ metadata: { one: null, three: '3' } }));
      expect(after).to.deep.include({ external_id: 'ERP-9', metadata: { two: '2', three: '3' } });
      for (const metadata of [null, [], 'x', { one: 1 }, { 'a b': 'x' }, { one: 'x'.repeat(501) }]) {
        expect((await patch({ metadata })).body.error.details[0].field).to.match(/^metadata/);
      }
      expectInvalid(await post({ ...ann, metadata: { one: null } }), 'metadata.one');
    });

    it('cannot take the external id of another', async () => {
      await newUser({ email: 'erp@shop.example', external_id: 'ERP-7' });
      expectError(await patch({ external_id: 'ERP-7' }), 'CONFLICT', ['external_id']);
      expectError(await post({ ...ann, external_id: 'ERP-7' }), 'CONFLICT', ['external_id']);
      expectOne(await patch({ external_id: 'erp-7' }));
      expectOne(await patch({ external_id: null }));
    });

    it('by themselves in their name only', async () => {
      for (const role of ['customer', 'staff'] as const) {
        const person = await service.person(role);
        const own = `/v1/users/${person.userId}`;
        expect(expectOne(await person.patch(own, { name: 'Me' })).name).to.equal('Me');
        expectError(await person.patch(own, { name: 'I', email: 'me@shop.example' }), 'FORBIDDEN');
        expectError(await person.patch(own, { name: 'I', role }), 'FORBIDDEN');
        expectError(await person.patch(path, { name: 'You' }), 'FORBIDDEN');
        expectError(await person.post('/v1/users', ann), 'FORBIDDEN');
        expectError(await person.delete(own), 'FORBIDDEN');
        expectInvalid(await person.patch(own, { name: ' ' }), 'name');
        expect(expectOne(await person.get(own)).name).to.equal('Me');
      }
    });

    it('in external id and metadata by staff of themselves, and by administrators', async () => {
      const fields = { external_id: 'CRM-1', metadata: { desk: '4' } };
      const [customer, staff] = [await service.person('customer'), await service.person('staff')];
      expectError(await customer.patch(`/v1/users/${customer.userId}`, { metadata: {} }), 'FORBIDDEN');
      expectError(await customer.patch(`/v1/users/${customer.userId}`, { external_id: null }), 'FORBIDDEN');
      expectError(await staff.patch(`/v1/users/${customer.userId}`, fields), 'FORBIDDEN');
      expect(expectOne(await staff.patch(`/v1/users/${staff.userId}`, fields))).to.deep.include(fields);
    });

    it('cannot take the address of another', async () => {
      await newUser({ email: 'other@shop.example' });
      expectError(await patch({ email: 'OTHER@shop.example' }), 'CONFLICT', ['email']);
    });
  });

  describe('read', () => {
    it('by themselves and by staff only', async () => {
      const [customer, other] = [await service.person('customer'), await service.person('customer')];
      const path = `/v1/users/${customer.userId}`;
      const own = expectOne(await customer.get(path));
      expect(own.id).to.equal(customer.userId);
      expect(expectOne(await (await service.person('staff')).get(path))).to.deep.equal(own);
      expectError(await other.get(path), 'FORBIDDEN');
    });

    it('in a list by staff, filtered by address in upper or lower case', async () => {
      const staff = await service.person('staff');
      const user = await newUser({ email: 'listed@shop.example' });
      expect(idsOf(expectList(await staff.get('/v1/users?limit=100')))).to.include(user.id);
      const found = await staff.get('/v1/users?email=LISTED%40shop.example');
      expect(expectList(found)).to.deep.equal([user]);
      expect(expectList(await staff.get('/v1/users?email=unknown%40shop.example'))).to.deep.equal([]);
      expectInvalid(await staff.get('/v1/users?role=owner'), 'role');
    });
  });

  describe('deleted', () => {
    it('are removed with their keys', async () => {
      const customer = await service.person('customer');
      const keyed = await customer.post('/v1/api-keys', { name: 'Mine' }, once());
      const key = expectCreated(keyed, '/v1/api-keys');
      const path = `/v1/users/${customer.userId}`;
      expectError(await service.operator.delete(path, { 'If-Match': '"9"' }), 'PRECONDITION_FAILED');
      expectNoContent(await service.operator.delete(path, { 'If-Match': '"1"' }));
      expectError(await service.operator.get(path), 'NOT_FOUND');
      expectError(await service.operator.get(`/v1/api-keys/${key.id}`), 'NOT_FOUND');
    });

    it('are kept while they have orders', async () => {
      const customer = await service.person('customer');
      await newOrder(customer, await newProduct(service));
      expectError(await service.operator.delete(`/v1/users/${customer.userId}`), 'CONFLICT');
      expectOne(await customer.get(`/v1/users/${customer.userId}`));
    });
  });
});
