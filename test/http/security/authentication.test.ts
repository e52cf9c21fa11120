import { expect } from 'chai';
import { mintToken } from '#adapters/auth/key-authenticator.ts';
import { newId } from '../../support/machine.ts';
import { Client } from '../support/client.ts';
import { expectCreated } from '../support/expectations.ts';
import { expectProblem } from '../support/protocol.ts';
import { describeServiceInSimulatedTime, type Service } from '../support/service.ts';
import { nowhere, tea } from '../support/shop.ts';
import { credential, requestText, Wire } from '../support/wire.ts';

/** A short one, so that no test waits for the default. `bootstrap/composition/revocation.e2e.test.ts` tests the default. */
const timing = { credentialTtlMs: 300 };

/** Bounds how long a revoked right may still work, in milliseconds. Below the default lifetime of the cache. */
const revocationTimeoutMs = 2_000;

const describeCredential = (service: Service): void => {
  const bearing = (token: string): Client => new Client(() => service.url, token);

  it('has the prefix ptc_, is shown once, and works at once', async () => {
    const person = await service.person('customer');
    expect(person.token).to.match(/^ptc_[0-9a-f]{32}_[0-9A-Za-z]{49}$/);
    expect((await person.get('/v1/products')).status).to.equal(200);
    const listed = await person.get('/v1/api-keys');
    expect(listed.text).not.to.include(person.token?.slice(-20));
    expect(listed.body.data[0]).not.to.have.any.keys('token', 'secret_hash');
  });

  it('is rejected with 401 when any part of it is wrong', async () => {
    const { token = '' } = await service.person('customer');
    const other = (await service.person('customer')).token ?? '';
    const [, key = '', secret = ''] = token.split('_');
    const wrong = [
      '',
      'nonsense',
      token.slice(0, -1),
      `${token}A`,
      `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`,
      token.toUpperCase(),
      token.replace('ptc_', 'ptx_'),
      token.slice(4),
      `ptc_${key}_${other.split('_')[2]}`,
      `ptc_${other.split('_')[1]}_${secret}`,
      `ptc_${nowhere.replaceAll('-', '')}_${secret}`,
      `ptc_${key}_${'0'.repeat(49)}`,
      `${token},${other}`,
      'a'.repeat(10_000),
    ];
    for (const each of wrong) {
      expectProblem(await bearing(each).get('/v1/products'), '401 UNAUTHORIZED');
    }
  });

  it('is rejected with 401 when its key does not exist, though its checksum is valid', async () => {
    const { token } = mintToken(newId());
    expectProblem(await bearing(token).get('/v1/products'), '401 UNAUTHORIZED');
  });

  it('is accepted by the scheme Bearer in any case, and in no other way', async () => {
    const { token = '' } = await service.person('customer');
    const statusOf = async (headers: readonly string[], path = '/v1/products'): Promise<number> => {
      const wire = await Wire.open(service.url);
      const { status } = await wire.write(requestText(`GET ${path}`, headers)).answer();
      wire.destroy();
      return status;
    };
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
      expect(await statusOf([`Authorization: ${scheme} ${token}`])).to.equal(200);
    }
    expect(await statusOf([`authorization:Bearer   ${token}  `])).to.equal(200);
    for (const header of [
      `Authorization: ${token}`,
      `Authorization: Bearer${token}`,
      `Authorization: Bearer:${token}`,
      `Authorization: Bearer "${token}"`,
      `Authorization: Bearer ${token} ${token}`,
      `Authorization: Bearer ${token}, Bearer ${token}`,
      `Authorization: Basic ${Buffer.from(`${token}:`).toString('base64')}`,
      `Authorization: Token ${token}`,
      `Authorization: Bearer ${token}\xe9`,
      'Authorization:',
      'Authorization: Bearer',
      `Proxy-Authorization: Bearer ${token}`,
      `X-API-Key: ${token}`,
      `Cookie: token=${token}`,
    ]) {
      expect(await statusOf([header]), header).to.equal(401);
    }
    expect(await statusOf([], `/v1/products?access_token=${token}`)).to.equal(401);
    const twice = [credential({ token }), credential({ token })];
    expect(await statusOf(twice)).to.equal(400);
  });

  it('shows its owner when it was last used', async () => {
    const person = await service.person('customer');
    const before = Date.now();
    const list = () => person.get('/v1/api-keys');
    const used = await service.until(list, ({ body }) => body.data[0].last_used_at !== null);
    const at = Date.parse(used.body.data[0].last_used_at);
    expect(at).to.be.within(before - 1_000, Date.now() + 1_000);
  });

  it('of the operator comes from the environment and belongs to an administrator that the start creates', async () => {
    const { body } = await service.operator.get('/v1/users?email=operator@localhost');
    expect(body.data).to.have.lengthOf(1);
    expect(body.data[0].role).to.equal('admin');
    expect((await service.operator.post('/v1/products', tea)).status).to.equal(201);
    const almost = `${service.operator.token?.slice(0, -1)}X`;
    expectProblem(await bearing(almost).get('/v1/products'), '401 UNAUTHORIZED');
    const keys = await service.operator.get('/v1/api-keys?limit=100');
    expect(keys.text).not.to.include(service.operator.token);
  });

  /** The server follows the database clock, which it has measured to within some milliseconds. */
  const clockToleranceMs = 20;

  it('loses its rights within the lifetime of the cache when it expires or is revoked, or its user is demoted or deleted', async () => {
    const revoked = await service.person('customer');
    const demoted = await service.person('staff');
    const promoted = await service.person('customer');
    const removed = await service.person('customer');
    const owner = await service.person('customer');
    const expiresAt = Date.now() + 1_000;
    const issued = await owner.post('/v1/api-keys', {
      name: 'Short',
      expires_at: new Date(expiresAt).toISOString(),
    });
    const short = bearing(expectCreated(issued, '/v1/api-keys').token);
    for (const client of [short, revoked, demoted, promoted, removed]) {
      expect((await client.get('/v1/products')).status).to.equal(200);
    }

    const { body } = await revoked.get('/v1/api-keys');
    const { operator } = service;
    expect((await operator.delete(`/v1/api-keys/${body.data[0].id}`)).status).to.equal(204);
    expect((await operator.delete(`/v1/users/${removed.userId}`)).status).to.equal(204);
    for (const [{ userId }, role] of [
      [demoted, 'customer'],
      [promoted, 'staff'],
    ] as const) {
      expect((await operator.patch(`/v1/users/${userId}`, { role })).status).to.equal(200);
    }
    const becomes = (client: Client, status: number) =>
      service.until(
        () => client.post('/v1/products', {}),
        (answer) => answer.status === status,
        revocationTimeoutMs,
      );
    await Promise.all([
      becomes(revoked, 401),
      becomes(removed, 401),
      becomes(demoted, 403),
      becomes(short, 401).then(() =>
        expect(Date.now()).to.be.within(expiresAt - clockToleranceMs, expiresAt + 3_000),
      ),
      // A promotion gives no rights to a key without the scopes.
      becomes(promoted, 403),
    ]);
    const fresh = await operator.post('/v1/api-keys', { user_id: promoted.userId, name: 'Promoted' });
    expect((await bearing(fresh.body.data.token).post('/v1/products', tea)).status).to.equal(201);
  });

  it('cannot be created with an expiry in the past', async () => {
    for (const expires of [new Date(Date.now() - 1_000).toISOString(), '2020-01-01T00:00:00Z', 'soon', 5]) {
      const answer = await service.operator.post('/v1/api-keys', { name: 'Late', expires_at: expires });
      expectProblem(answer, '422 VALIDATION_ERROR', ['expires_at']);
    }
  });
};

describeServiceInSimulatedTime('A credential', {}, describeCredential, { kind: 'sqlite', ...timing });
