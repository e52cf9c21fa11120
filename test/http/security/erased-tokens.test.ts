import { expect } from 'chai';
import { Client } from '../support/client.ts';
import { expectList, expectOne } from '../support/expectations.ts';
import { IdentityProvider } from '../support/identity-provider.ts';
import { describeServiceInSimulatedTime, type Service } from '../support/service.ts';

const provider = new IdentityProvider();
const trusting = (more: Readonly<Record<string, string>> = {}) => ({
  JWT_ISSUER: provider.issuer,
  JWT_AUDIENCE: provider.audience,
  RECONCILE_AFTER_MS: '500',
  get JWT_JWKS_URL() {
    return provider.keysUrl;
  },
  ...more,
});
const claims = { sub: 'grace', email: 'grace@example.com', email_verified: true };

const statusOf = async (service: Service, token: string): Promise<number> =>
  (await new Client(() => service.url, token).get('/v1/products')).status;

const erase = async (service: Service, user_id: string) =>
  expectOne(await service.operator.post('/v1/erasures', { user_id }), 201);

describe('A token of an erased user', () => {
  before(() => provider.start());
  after(() => provider.stop());

  describeServiceInSimulatedTime(
    'that names the id of its user',
    trusting(),
    (service) => {
      it('is rejected, also a new one', async () => {
        const { userId } = await service.person('customer');
        const token = await provider.token({ sub: userId });
        expect(await statusOf(service, token)).to.equal(200);
        await erase(service, userId);
        await service.until(
          () => statusOf(service, token),
          (status) => status === 401,
        );
        expect(await statusOf(service, await provider.token({ sub: userId, jti: '2' }))).to.equal(401);
      });
    },
    { credentialTtlMs: 50 },
  );

  const linked = async (service: Service) => {
    expect(await statusOf(service, await provider.token(claims))).to.equal(200);
    const [user] = expectList(await service.operator.get('/v1/users?email=grace%40example.com'));
    return erase(service, user?.id);
  };

  describeServiceInSimulatedTime(
    'that is linked to its user',
    trusting({ JWT_PROVISION: '1' }),
    (service) => {
      it('is rejected as long as the erasure is pending, and makes no other user', async () => {
        await linked(service);
        for (const jti of ['2', '3']) {
          expect(await statusOf(service, await provider.token({ ...claims, jti }))).to.equal(401);
        }
        const found = await service.operator.get('/v1/users?email=grace%40example.com');
        expect(expectList(found)).to.deep.equal([]);
      });
    },
    { credentialTtlMs: 50 },
  );

  describeServiceInSimulatedTime(
    'whose erasure is completed',
    trusting({ JWT_PROVISION: '1' }),
    (service) => {
      it('signs its subject up anew, as another user', async () => {
        const erasure = await linked(service);
        await service.until(
          async () => expectOne(await service.operator.get(`/v1/erasures/${erasure.id}`)),
          ({ status }) => status === 'completed',
        );
        expect(await statusOf(service, await provider.token({ ...claims, jti: '4' }))).to.equal(200);
        const [user] = expectList(await service.operator.get('/v1/users?email=grace%40example.com'));
        expect(user?.id).not.to.equal(erasure.user_id);
      });
    },
    { credentialTtlMs: 50, erasureQuietMs: 200 },
  );
});
